// Package generated puts questions to programs of which the truth is known, because they
// are made here: a tree of statements is drawn from a seed, written in a language, and run
// by an interpreter that notes each write, each call and each pass of a statement. What
// trace, why and diagnose say of the real run is held against it: a row that differs is
// false, unless the reply itself says that something could not be seen. The program prints
// a checksum, so that a run in which the interpreter were wrong is found by the run itself.
//
// The parts are tree.go (what programs are made of), grow*.go (draws one from a seed), run.go
// (what is true), write.go and a file a language (as text, with the lines of its
// statements), ask.go (questions and true answers) and judge.go (the comparison).
package generated
