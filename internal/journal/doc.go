// Package journal is the project's journal: an append-only Merkle tree (RFC 6962) with a leaf for every message that
// begins, predicts, records, publishes or completes (SCIENCE 11), the checkpoints made of it, and their proofs. It is
// pure: the engines keep the leaves, in the transactions of their messages.
package journal
