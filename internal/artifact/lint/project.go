package lint

import (
	"brenner/internal/evidence"
	"brenner/internal/genealogy"
)

// Project is what only a project knows. What is nil is not known, and the rules that ask for
// it do not run.
type Project struct {
	Library   *evidence.Library // transcript and evidence pack
	Genealogy *genealogy.Graph  // of all sessions; that of this artifact is judged by what the artifact itself says
}
