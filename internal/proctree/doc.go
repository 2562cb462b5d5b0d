// Package proctree finds and ends everything that came from a program: its children, their
// children, what they left behind in their process sessions and, where the system shows
// environments, whatever still carries its mark.
package proctree
