package tools

// all are the tools in the order in which an agent meets them. That list stands with
// the handlers, which import this package: list_test.go, outside of it, fills this in.
var all []*Definition

// SetAll gives the tests the list.
func SetAll(list []*Definition) { all = list }
