// Package cases asks the built server about programs of which something is true that is
// easily concluded wrongly: one file of testdata/cases/LANGUAGE for each. It is how a
// false answer is kept from coming back.
package cases
