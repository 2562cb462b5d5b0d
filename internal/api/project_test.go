package api_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"brenner/internal/api"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/store/sqlite"
	"brenner/internal/worktree"
)

// thread is the session of every test project: started, with one version, one open critique, one delta that waits and
// one that cannot be read.
const thread = "RS-20260110-cells-turn"

// project is a real project: SQLite, a work tree in git, the API on a port of its own.
type project struct {
	sessions *session.Sessions
	api      *api.API
	url      string
	dir      string
}

type callerKey struct{}

// newProject makes a project with the API in front of it. The header Test-Caller says who asks: nobody,
// Operator, or the agent of a token.
func newProject(t *testing.T, options api.Options) *project {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
	p := &project{dir: t.TempDir()}
	git(t, p.dir, "init", "-q", "-b", "main")
	git(t, p.dir, "config", "user.email", "op@example.org")
	git(t, p.dir, "config", "user.name", "op")
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brenner.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	home, err := store.EnsureProject(t.Context(), p.dir, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	door := &session.Door{}
	service := mail.NewService(store, home, mail.Options{Door: door})
	p.sessions = session.New(service, worktree.At(p.dir), session.Settings{})
	door.Attach(p.sessions)
	p.api = api.New(api.Deps{
		Cosign: func(f api.CheckpointFile) (api.CheckpointFile, error) {
			f.Signatures = append(f.Signatures, "signed "+f.Note)
			return f, nil
		},
		Sources:  shelf{},
		Sessions: p.sessions,
		Caller: func(ctx context.Context) api.Caller {
			name, _ := ctx.Value(callerKey{}).(string)
			return api.Caller{Name: name, Operator: name == mail.Operator}
		},
	}, options)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.api.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, r.Header.Get("Test-Caller"))))
	}))
	t.Cleanup(func() {
		p.api.Close() // open streams would hold the other up
		server.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	p.url = server.URL
	return p
}

// shelf has one source, of which it says what it was told.
type shelf struct{}

func (shelf) AddSource(_ context.Context, f api.SourceFile, data []byte) (api.SourceState, error) {
	return api.SourceState{ID: "EV-001", Title: f.Name + " of " + f.As + ": " + string(data), Status: "current", New: true,
		Findings: []protocol.Finding{}}, nil
}

func (shelf) MarkSource(_ context.Context, m api.SourceMark) (api.SourceState, error) {
	if m.ID != "EV-001" {
		return api.SourceState{}, protocol.Errorf(protocol.NotFound, "there is no %s", m.ID)
	}
	return api.SourceState{ID: m.ID, Status: m.Status, StatusNote: &m.Note, Findings: []protocol.Finding{}}, nil
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// populate plays a session: messages 1 and 2 are kickoffs, 3 a delta, 4 COMPILED v1, 5 a critique, 6 a delta that waits,
// 7 one that cannot be read, 8 a direct message with a hidden recipient.
func (p *project) populate(t *testing.T) {
	t.Helper()
	m := p.sessions.Mail()
	_, err := p.sessions.Start(t.Context(), session.StartRequest{
		From: mail.Operator, Question: "Why do cells turn?", Context: "They do, in the dark too. Nobody knows why.", ThreadID: thread,
		Roster: session.RosterRequest{Sources: []session.RosterSource{{Origin: "test", Entries: []protocol.RosterEntry{
			{AgentName: "BlueLake", Role: protocol.RoleHypothesisGenerator}, {AgentName: "RedSky", Role: protocol.RoleAdversarialCritic},
		}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	p.send(t, "BlueLake", "DELTA[human]: One way", hypothesis("Gravity pulls them"))
	if _, err := p.sessions.Compile(t.Context(), session.CompileRequest{ThreadID: thread, As: mail.Operator}); err != nil {
		t.Fatal(err)
	}
	p.send(t, "RedSky", "CRITIQUE: Too slow", critique)
	p.send(t, "BlueLake", "DELTA[human]: Another way", hypothesis("Light pushes them"))
	p.broken(t)
	if _, err := m.Send(t.Context(), mail.Outgoing{Draft: message.Draft{
		From: "BlueLake", To: []string{"RedSky"}, Bcc: []string{mail.Operator}, Subject: "INFO: Between us", Body: "Look at the dish.",
	}}); err != nil {
		t.Fatal(err)
	}
}

// broken puts a delta into the thread that could not be read, as mail that arrives from elsewhere may be.
func (p *project) broken(t *testing.T) {
	t.Helper()
	line := `{"thread_id":"` + thread + `","from":"BlueLake","to":["Operator"],"subject":"DELTA[human]: Hasty","created_ts":"` +
		time.Now().UTC().Add(time.Second).Format(mail.TimeLayout) + `","body_md":` +
		quote(strings.Replace(hypothesis("Wind turns them"), `"ADD"`, `"ADD",`, 1)) + `}`
	if _, err := transfer.Import(t.Context(), p.sessions.Mail(), strings.NewReader(line)); err != nil {
		t.Fatal(err)
	}
}

func (p *project) send(t *testing.T, from, subject, body string) {
	t.Helper()
	_, err := p.sessions.Mail().Send(t.Context(), mail.Outgoing{Draft: message.Draft{
		ThreadID: thread, From: from, To: []string{mail.Operator}, Subject: subject, Body: body,
	}})
	if err != nil {
		t.Fatal(err)
	}
}

func quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func hypothesis(name string) string {
	return "# Delta Contribution\n\n## Deltas\n\n```delta\n" +
		`{"operation": "ADD", "section": "hypothesis_slate", "target_id": null, "payload": {"name": ` +
		quote(name) + `, "claim": "It does.", "mechanism": "As it can.", "anchors": ["inference"]}, "rationale": "It is simple."}` +
		"\n```\n"
}

const critique = "# Critique: Too slow\n\n## Target\n\n- **Artifact Version**: v1\n- **Item**: H1\n\n## Attack\n\nIt would take " +
	"hours.\n\n## Evidence\n\nThe films show seconds.\n\n## Proposed Resolution\n\nSay how it is quick.\n\n## Severity\n\nMajor\n"

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (p *project) do(t *testing.T, method, path, body string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, data}
}

// decode reads the body of an answer.
func decode[T any](t *testing.T, a answer) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(a.body, &v); err != nil {
		t.Fatalf("%v\n%s", err, a.body)
	}
	return v
}

// failed is the body of an answer that is not what was asked for.
type failed struct {
	OK    bool `json:"ok"`
	Error struct {
		Code     string             `json:"code"`
		Message  string             `json:"message"`
		Findings []protocol.Finding `json:"findings"`
		Action   *protocol.Action   `json:"action"`
	} `json:"error"`
}
