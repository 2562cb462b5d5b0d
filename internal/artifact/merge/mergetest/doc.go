// Package mergetest makes random threads for tests of the fold and of what reads its
// results: several agents, KICKOFF, DELTA and COMPILED messages, few instants so that
// messages tie, few words so that values agree by chance, and a share of blocks that must
// be rejected.
package mergetest
