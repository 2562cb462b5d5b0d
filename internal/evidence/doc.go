// Package evidence checks that quoted words are in the sources that are cited for them (SCIENCE 1).
// It finds quotes in texts, normalises both sides, looks the quotes up, and says how each item of an
// artifact is supported. It reads no files: a Library gives it the texts.
package evidence
