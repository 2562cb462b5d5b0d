// Package prompt writes what agents read when a session starts: the method, the duty of each
// role, the contract for deltas, and the KICKOFF message that carries them. It is text in,
// text out; projects put their own files in place of a role's text.
package prompt
