// Package prediction is the register of predictions (SCIENCE 3). A prediction is a cell
// expected_outcomes.H of a test; the log knows the message that last changed its text and the
// message of the test's result, and so whether the prediction came first. No cell is ever left
// out: those of killed tests and hypotheses count.
package prediction
