package build

import "time"

// listLimit is how long a test binary may take to list its tests.
const listLimit = 15 * time.Second
