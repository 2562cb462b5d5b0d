// Package textdiff compares texts for a reader: lines side by side with what did not change folded
// away, and the words that changed inside a line or a field. It is the one owner of the diff
// library.
package textdiff
