package cli

import "brenner/internal/termtext"

// visible returns text from outside for one line of output.
func visible(s string) string { return termtext.Visible(s) }
