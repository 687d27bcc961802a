package process

// MarkOf is for the tests.
var MarkOf = markOf

// Slay is for the tests.
var Slay = slay
