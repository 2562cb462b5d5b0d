// Package repair mends the delta blocks of a message: JSON that was miswritten, names that were guessed, fences
// that were forgotten (PROTOCOL 5, repairs). What it returns is read by package delta in strict intake.
package repair
