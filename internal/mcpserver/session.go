package mcpserver

import (
	"context"
	"slices"
	"strings"

	"brenner/internal/protocol"
	"brenner/internal/session"
)

// sessionTools take part in research sessions.
func sessionTools() []*tool {
	return []*tool{
		{
			name: "brenner_validate", effect: reads,
			about: "Judge a draft as the door would, without sending it: type, findings with fixes, receipt of its delta blocks.",
			in: []field{
				textField("subject", "as you would send it").must(), textField("body_md", "as you would send it").must(),
				textField("project_key", "with it, the project is asked too"),
				threadField, textField("sender_name", "your agent name"), flagField("ack_required", "as you would send it"),
			},
			out: "type:string ack_required:boolean findings:array receipt:object?", run: validateDraft,
		},
		submitTool(),
		{
			name: "brenner_compile", effect: adds,
			about: "Fold a thread's deltas into its artifact and publish the next version, if a delta was applied. dry_run publishes " +
				"nothing.",
			in: []field{
				projectField, threadField.must(), textField("sender_name", "who compiles; not needed for a dry run"),
				flagField("dry_run", "publish nothing").or("false"),
				flagField("strict", "refuse lint errors"), textField("summary", "what is new, in a sentence"),
				flagField("include_artifact", "Markdown in the answer"),
			},
			out: "thread_id:string version:integer previous_version:integer new_version:boolean message_id:integer? stats:object " +
				"deltas:object changes:object conflicts:array findings:array lint:object artifact_hash:string artifact_md:string?",
			run: compileThread,
		},
		{
			name: "brenner_status", effect: reads, core: true, session: true,
			about: "The state of a session: phase, round, latest version, pending deltas, acknowledgements, open critiques. Without " +
				"thread_id: all sessions.",
			in: []field{projectField, threadField},
			out: "thread_id:string phase:string round:integer latest_version:integer pending_deltas:integer roles:object acks:object " +
				"open_critiques:array sessions:array notice:string", run: showStatus,
		},
		critiquesTool(),
		waitTool(DefaultLongestWait),
	}
}

type statusAnswer struct {
	session.Status
	Notice string `json:"notice"`
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
	of, err := p.sessions.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	status, err := of.Status(ctx)
	return statusAnswer{status, notice}, err
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

type compileAnswer struct {
	session.Outcome
	Artifact *string `json:"artifact_md"`
	Notice   string  `json:"notice"`
}

func compileThread(ctx context.Context, c *call) (any, error) {
	req := session.CompileRequest{
		ThreadID: c.thread(), Summary: c.text("summary"), Strict: c.flag("strict"),
	}
	dry, withArtifact := c.flag("dry_run"), c.flag("include_artifact")
	if !dry {
		req.As = c.actor("sender_name")
	}
	p, err := c.threadProject(ctx, req.ThreadID)
	if err != nil {
		return nil, err
	}
	compile := p.compile
	if dry {
		compile = p.preview
	}
	out, err := compile(ctx, req)
	if err != nil {
		return nil, err
	}
	answer := compileAnswer{Outcome: out, Notice: notice}
	if withArtifact {
		text := renderArtifact(out.Document)
		answer.Artifact = &text
	}
	return answer, nil
}

// preview tells what publishing would come to.
func (p *project) preview(ctx context.Context, req session.CompileRequest) (session.Outcome, error) {
	of, err := p.sessions.Session(ctx, req.ThreadID)
	if err != nil {
		return session.Outcome{}, err
	}
	return of.Preview(ctx)
}

func (p *project) compile(ctx context.Context, req session.CompileRequest) (session.Outcome, error) {
	if err := p.admit(ctx, req.As); err != nil {
		return session.Outcome{}, err
	}
	return p.sessions.Compile(ctx, req)
}
