// Package hub is what happens in one debug session as one ordered stream: states,
// pictures of stops, breakpoints, output, what the agent asked and was answered, what
// persons did. Any number of observers read it, each at its own pace, and may come late.
// It also keeps who drives: a person can hold the session, and what persons did since the
// agent's last reply is kept until that reply takes it.
//
// Nothing here waits for an observer: who is slow loses detail and is told how much. All is
// bounded. The package must not know sessions, debuggers, MCP or how anything is shown.
package hub
