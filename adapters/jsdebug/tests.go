package jsdebug

import "aidb-mcp/adapters"

func (a *adapter) planTest(j job) (*adapters.Plan, error) { return a.planLaunch(j) }
