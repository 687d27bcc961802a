// Package hostile holds the server against debug adapters that lie, hang, flood
// and die: in this process, where each wrong answer to each request takes no
// time, and against the built binary, where bytes, processes and memory are real.
//
// It must not know how the server defends itself.
package hostile
