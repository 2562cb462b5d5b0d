// Package live holds the folds of threads in memory: one for each thread, advanced once for each message
// and read through snapshots that never change. The state of a thread is asked for here.
//
// A fold is known by its position: the id and the chain hash of the last message in it. Messages that
// another process wrote are found there, and the fold of a store that was replaced is never used again.
// Folds are kept in the store now and then, so that the next process catches up instead of starting over;
// how many stay in memory is bounded by their weight.
package live
