package process

// MarkOf is for the tests.
var MarkOf = markOf
