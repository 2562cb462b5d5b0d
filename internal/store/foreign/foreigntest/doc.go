// Package foreigntest imitates Agent Mail servers of other programs for tests: the tools and resources of the wire
// contract, in the accents that it leaves open. It knows nothing of the protocol and lets every message in.
package foreigntest
