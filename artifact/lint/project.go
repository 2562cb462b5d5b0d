package lint

import (
	"slices"

	"brenner/artifact"
	"brenner/genealogy"
)

// Project is what only a project knows. What is nil is not known, and the rules that ask for
// it do not run.
type Project struct {
	Sections  map[int]bool     // numbered sections of the transcript
	Evidence  Evidence         // the evidence pack
	Genealogy *genealogy.Graph // of all sessions; that of this artifact is judged by what the artifact itself says
}

// Evidence looks an id of the evidence pack up: EV-001 has the excerpts E1, E2, …; none listed means
// any will do. The second result is false if there is no such id. Only what is cited is looked up.
type Evidence func(id string) (excerpts []string, ok bool)

// missing returns what a citation cites in vain, as it would be cited; empty if everything
// is there.
func (p *Project) missing(c artifact.Citation) string {
	if c.Evidence == "" {
		return p.missingSection(c)
	}
	if p.Evidence == nil {
		return ""
	}
	excerpts, ok := p.Evidence(c.Evidence)
	switch {
	case !ok:
		return c.Evidence
	case c.Excerpt == "" || len(excerpts) == 0:
		return ""
	}
	if slices.Contains(excerpts, c.Excerpt) {
		return ""
	}
	return c.String()
}

// missingSection finds the first section of a range that is not there. It looks at no more
// sections than the transcript has, and one.
func (p *Project) missingSection(c artifact.Citation) string {
	if p.Sections == nil {
		return ""
	}
	for n := c.First; n <= c.Last; n++ {
		if !p.Sections[n] {
			return artifact.Citation{First: n, Last: n}.String()
		}
	}
	return ""
}
