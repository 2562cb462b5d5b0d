// Package merge folds a thread into its artifact. Fold takes one message after another:
// KICKOFF opens the research thread, DELTA messages change the artifact, COMPILED messages
// close a window of the report; nothing else matters. The artifact, its hash and the report
// are pure functions of the ordered messages (PROTOCOL 1 and 7): a State saved anywhere and
// folded on gives the same bytes as one that folded everything.
//
// A unit is the smallest thing that two agents can disagree on: a scalar field, a key of a
// map, a part of a score, a field that no table names. For each edited unit the state keeps
// who asked for what at its last instant and since the last COMPILED message; the first
// decides ties, the second is reported as conflicts.
package merge
