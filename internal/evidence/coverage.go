package evidence

import (
	"fmt"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Counts says how much of what is quoted was checked (SCIENCE 1, coverage).
type Counts struct {
	Checked   int `json:"checked"` // found or false
	False     int `json:"false"`
	Unchecked int `json:"unchecked"` // they have no citation, or none with a text
	Sources   int `json:"sources"`   // that are cited
	Retracted int `json:"retracted"`
}

// Add counts a quotation.
func (c *Counts) Add(q *Checked) {
	switch q.Verdict {
	case Found:
		c.Checked++
	case NotFound:
		c.Checked++
		c.False++
	default:
		c.Unchecked++
	}
}

// CountSources counts the sources that are cited.
func (c *Counts) CountSources(l *Library, cited []artifact.Citation) {
	seen := map[string]bool{}
	for _, citation := range cited {
		if citation.Evidence == "" || seen[citation.Evidence] {
			continue
		}
		seen[citation.Evidence] = true
		c.Sources++
		if l != nil && l.Pack != nil {
			if s := l.Pack.Source(citation.Evidence); s != nil && s.Standing() == Retracted {
				c.Retracted++
			}
		}
	}
}

// Line is the line of coverage that stands beside the line of predictions, in the words of SCIENCE 1.
func (c Counts) Line() string {
	return fmt.Sprintf("%s checked, %d false, %d not checked; %s, %d retracted", protocol.Plural(c.Checked, "quotation"), c.False,
		c.Unchecked, protocol.Plural(c.Sources, "source"), c.Retracted)
}
