package mcpserver

import (
	"context"
	"slices"
	"strings"

	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/usecase"
)

// sessionTools take part in research sessions.
func sessionTools() []*tool {
	return []*tool{
		{
			name: "brenner_validate", effect: reads,
			about: "Judge a draft as the door would, without sending it: type, findings with fixes, receipt of its delta blocks.",
			in: []field{
				textField("subject", "as you would send it").must(), textField("body_md", "as you would send it").must(),
				textField("project_key", "which project is asked; absent: the one served"),
				threadField, textField("sender_name", "your agent name"), flagField("ack_required", "as you would send it"),
			},
			out: "type:string ack_required:boolean findings:array receipt:object?", run: validateDraft,
		},
		submitTool(),
		compileTool(),
		{
			name: "brenner_status", effect: reads, core: true, session: true, meta: shownBy,
			about: "The state of a session: phase, round, latest version, pending deltas, acknowledgements, open critiques. Without " +
				"thread_id: all sessions.",
			in: []field{projectField, threadField},
			out: "thread_id:string phase:string round:integer latest_version:integer pending_deltas:integer roles:object acks:object " +
				"open_critiques:array sessions:array notice:string", run: showStatus,
		},
		critiquesTool(),
		waitTool(DefaultLongestWait), todoTool(),
	}
}

type sessionList struct {
	Sessions []session.Summary `json:"sessions"`
	Notice   string            `json:"notice"`
}

func showStatus(ctx context.Context, c *call) (any, error) {
	id := strings.TrimSpace(c.text("thread_id"))
	p, err := c.threadProject(ctx, id)
	if err != nil {
		return nil, err
	}
	if id == "" {
		return c.listSessions(ctx, p)
	}
	return c.ask(ctx, usecase.Status.Case)
}

func (c *call) listSessions(ctx context.Context, p *project) (any, error) {
	readable, err := c.server.access(c.caller, p).ThreadSet(ctx)
	if err != nil {
		return nil, err
	}
	all, err := p.sessions.List(ctx)
	all = slices.DeleteFunc(all, func(s session.Summary) bool { return !readable.Has(s.ThreadID) })
	return sessionList{protocol.NonNil(all), notice}, err
}

// compileTool publishes versions. Files of the project are a person's: what writes them is not offered to agents.
func compileTool() *tool {
	t := declaredTool(usecase.Compile.Case)
	t.effect = adds
	t.in = append(t.in, flagField("include_artifact", "Markdown in the answer"))
	t.out = "thread_id:string version:integer previous_version:integer new_version:boolean message_id:integer? stats:object " +
		"deltas:object changes:object conflicts:array findings:array lint:object artifact_hash:string artifact_md:string?"
	t.run = compileThread
	return t
}

type compileAnswer struct {
	session.Outcome
	Artifact *string `json:"artifact_md"`
	Notice   string  `json:"notice"`
}

func compileThread(ctx context.Context, c *call) (any, error) {
	withArtifact := c.flag("include_artifact")
	done, err := c.do(ctx, usecase.Compile.Case)
	if err != nil {
		return nil, err
	}
	answer := compileAnswer{Outcome: done.(usecase.Compiled).Outcome, Notice: notice}
	if withArtifact {
		text := renderArtifact(answer.Document)
		answer.Artifact = &text
	}
	return answer, nil
}
