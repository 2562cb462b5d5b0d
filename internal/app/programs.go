package app

import (
	"brenner/internal/config"
	"brenner/internal/program"
	"brenner/internal/protocol"
)

// Catalog returns the agent programs that the project can start.
func (a *App) Catalog() *program.Catalog { return Catalog(a.Config, a.Project.Root) }

// Prompts returns the texts that replace a role's duty in this project.
func (a *App) Prompts() map[protocol.Role]string { return a.prompts }

// Catalog returns the agent programs of the settings of a project in a folder, over those built in.
func Catalog(c config.Config, root string) *program.Catalog {
	own, trusted := templates(c), c.Templates.Trusted(root)
	for name := range c.Templates.Programs {
		t := own[name]
		t.Untrusted = !trusted
		own[name] = t
	}
	return program.NewCatalog(own)
}

func templates(c config.Config) map[string]program.Template {
	own := make(map[string]program.Template, len(c.Agents))
	for name, agent := range c.Agents {
		own[name] = program.Template{Command: agent.Command, Headless: agent.Headless, ACP: agent.ACP}
	}
	return own
}

// checkPrograms judges the command templates of the settings, for every command that reads them.
func checkPrograms(c config.Config, findings []protocol.Finding) ([]protocol.Finding, error) {
	found := program.Check(templates(c))
	findings = append(findings, found...)
	for _, f := range found {
		if f.Severity == protocol.SeverityError {
			return findings, protocol.Errorf(protocol.InvalidConfig, "%s: %s", c.Origins["agents"], f.Message).WithFindings(findings)
		}
	}
	return findings, nil
}
