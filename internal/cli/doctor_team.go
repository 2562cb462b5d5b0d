package cli

import (
	"context"

	"brenner/internal/commandline"
	"brenner/internal/protocol"
	"brenner/internal/teamcheck"
)

// team examines a team's server from outside.
func (d *doctor) team(ctx context.Context, url string) {
	found, err := teamcheck.Examine(ctx, teamcheck.Installation{URL: url, Token: d.app.streams.Getenv("AGENT_MAIL_BEARER_TOKEN")})
	if err != nil {
		d.fail("team", protocol.Errorf(protocol.Usage, "%w", err))
	}
	for _, f := range found {
		switch name := "team: " + f.Name; {
		case f.Fix == "":
			d.ok(name, "%s", f.Message)
		case f.Warning:
			d.warn(name, f.Message, commandline.Fix(f.Fix, f.Action))
		default:
			finding := protocol.NewFinding(protocol.NotAllowed, "%s", f.Message).WithFix("%s", f.Fix)
			finding.Action = f.Action
			d.fail(name, protocol.Errorf(protocol.NotAllowed, "%s", f.Message).WithFindings([]protocol.Finding{finding}))
		}
	}
}
