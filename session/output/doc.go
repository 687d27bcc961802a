// Package output keeps what a program prints: the tail of each of its streams,
// and apart from them what logpoints wrote. It reads the program's pipes as
// fast as the program writes, remembers what a reply has shown already, and
// gives out pages of lines.
//
// It must not know who prints or who reads: no session, no adapter, no reply.
// What is noise is told to it as a function, where to cut as a number of bytes.
package output
