package app

import "brenner/session"

// facts returns a function that gathers what lint asks of the project. Most commands ask nothing: the
// transcript is read by the first that does, and of the evidence only the names are.
func (a *App) facts() func() session.ProjectFacts {
	evidence, findings := openEvidence(a.Project.Root)
	a.Findings = append(a.Findings, findings...)
	return func() session.ProjectFacts {
		facts := session.ProjectFacts{Sections: a.sections()}
		if evidence != nil {
			facts.Evidence = evidence.excerpts
		}
		return facts
	}
}

// sections are the numbers of the transcript's sections. That it can be read was found out when the
// project was opened; one that vanished since answers nothing.
func (a *App) sections() map[int]bool {
	if t := a.transcript(); t != nil {
		return t.Numbers()
	}
	return nil
}
