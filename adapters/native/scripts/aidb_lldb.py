"""How LLDB shows the containers of the C++ library."""

import lldb
