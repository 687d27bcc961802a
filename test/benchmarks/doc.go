// Package benchmarks puts first questions to programs that nobody here wrote: benchmark
// programs and packages as their registries publish them, as they are and with a fault
// that a table of operators plants in them (see operators_test.go). The same seed plants
// the same faults; a fault is kept if the program's own test, or a check of what the
// program without the fault computes, then fails.
//
// What is true of each program is found out without the server: by its own output, by
// what both states of it compute, or in Python by the frame that raised. Each reply is
// then scored by what it says (see score_test.go), and one that says something false
// fails the test.
//
// A few programs of each language are asked about in every run of the tests, all of them
// by "make test-benchmarks", which also tells how they are scored. What is fetched and
// made lies in AIDB_BENCHMARKS, or in benchmarks in AIDB_HOME.
package benchmarks
