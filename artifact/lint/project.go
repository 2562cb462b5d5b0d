package lint

import (
	"brenner/artifact"
	"brenner/evidence"
	"brenner/genealogy"
)

// Project is what only a project knows. What is nil is not known, and the rules that ask for
// it do not run.
type Project struct {
	Library   *evidence.Library // transcript and evidence pack
	Genealogy *genealogy.Graph  // of all sessions; that of this artifact is judged by what the artifact itself says
}

// missing returns what a citation cites in vain, as it would be cited; empty if everything
// is there.
func (p *Project) missing(c artifact.Citation) string {
	if p.Library.Resolve(c) != evidence.Missing {
		return ""
	}
	if c.Evidence == "" {
		n := p.Library.MissingSection(c)
		return artifact.Citation{First: n, Last: n}.String()
	}
	if p.Library.Pack.Source(c.Evidence) == nil {
		return c.Evidence
	}
	return c.String()
}
