// Package experiment knows the results of a thread's tests as the log gives them (SCIENCE 2): which
// messages gave a test a result, which of them counts as its result R, what the outcome is and
// which message set it.
//
// Like its neighbours prediction and belief it is a register: Advance takes each message once,
// in the order of the thread, and costs what the message changed; Snapshot gives readers a copy
// that never changes. Registers are fed with a Step and hold no artifact.
package experiment
