// Package protocol is the vocabulary of the Brenner Protocol: thread ids, subjects, message
// types, rosters, findings and the table of codes. It imports nothing of this module; every
// other package speaks its words.
package protocol
