// Package responses builds what the agent reads: the envelope, the stop view,
// variables, stacks, errors, next steps, and fits them into the byte budget.
//
// It does not know where the data came from.
package responses
