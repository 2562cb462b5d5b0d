package web_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"brenner/internal/evidence"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/store/sqlite"
	"brenner/internal/transcript"
	"brenner/internal/web"
	"brenner/internal/worktree"
)

// mischief is what an agent may write anywhere.
const mischief = `<script>alert(1)</script><img src=x onerror=alert(2)>" onclick="alert(3)' ` + "\u202e" +
	`gnp.exe javascript:alert(4) {{.}} `

// site is a project in SQLite with the pages in front of it, and a clock of its own.
type site struct {
	*session.Sessions
	t      testing.TB
	deps   web.Deps
	web    *web.Web
	now    time.Time
	viewer web.Viewer

	library *evidence.Library // of the project; nil: none
}

// newSite has no door: what a thread knows refuses nothing.
func newSite(t testing.TB, options web.Options) *site {
	t.Helper()
	return siteBehind(t, nil, options)
}

func siteBehind(t testing.TB, door *session.Door, options web.Options) *site {
	t.Helper()
	s := &site{t: t, now: time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC)}
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brenner.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	dir := t.TempDir()
	home, err := store.EnsureProject(t.Context(), dir, s.now)
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return s.now }
	mailing := mail.Options{Now: clock}
	if door != nil {
		mailing.Door = door
	}
	s.Sessions = session.New(mail.NewService(store, home, mailing), worktree.At(dir),
		session.Settings{Library: func() (*evidence.Library, error) {
			return s.library, nil
		}})
	if door != nil {
		door.Attach(s.Sessions)
	}
	options.Now = clock
	s.deps = web.Deps{
		Sessions: s.Sessions, Viewer: func(context.Context) web.Viewer { return s.viewer },
		Transcript: transcript.Parse("## §1 First\n\nOne.\n\n## §2 <b>Second</b>\n\nTwo.\n"),
	}
	s.web = web.New(s.deps, options)
	return s
}

// begin starts a session.
func (s *site) begin(thread, question string, agents ...string) {
	s.t.Helper()
	s.now = s.now.Add(time.Minute)
	if _, err := s.Start(s.t.Context(), session.StartRequest{
		From: mail.Operator, Question: question, Context: "They do. Nobody knows why.", ThreadID: thread,
		Roster: session.RosterRequest{Recipients: agents},
	}); err != nil {
		s.t.Fatal(err)
	}
}

// ask asks for a page as a browser does; headers are pairs.
func (s *site) ask(method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, nil)
	r.Header.Set("Accept", "text/html,*/*")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.web.ServeHTTP(w, r)
	return w
}

// see asks for a page that must be there.
func (s *site) see(path string) string {
	s.t.Helper()
	w := s.ask("GET", path)
	if w.Code != http.StatusOK {
		s.t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

func (s *site) expect(page string, wanted ...string) {
	s.t.Helper()
	for _, want := range wanted {
		if !strings.Contains(page, want) {
			s.t.Errorf("no %q in\n%s", want, page)
		}
	}
}

var shellPages = []string{"/", "/?show=waiting&sort=newest&q=x", "/search", "/search?q=cells", "/start", "/login"}

// TestEveryAnswerIsLockedDown: no answer lets anything run that is not ours.
func TestEveryAnswerIsLockedDown(t *testing.T) {
	s := newSite(t, web.Options{Lab: true})
	s.begin("RS-20260110-cells", "Why do cells turn?", "BlueLake")
	for _, path := range append(shellPages, "/nowhere", "/?page=x", "/assets/x/css/base.css") {
		w := s.ask("GET", path)
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", path, policy)
		}
		if w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s may be sniffed", path)
		}
		page := w.Body.String()
		for _, inline := range []string{"<script>", "<style", " style=", " onclick=", "http://", "https://"} {
			if w.Code == 200 && strings.Contains(w.Header().Get("Content-Type"), "html") && strings.Contains(page, inline) {
				t.Errorf("%s has %q", path, inline)
			}
		}
	}
}

// TestPagesAreOnlyRead: nothing but GET and HEAD is answered.
func TestPagesAreOnlyRead(t *testing.T) {
	s := newSite(t, web.Options{Lab: true})
	for _, path := range shellPages {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"} {
			if w := s.ask(method, path); w.Code != http.StatusForbidden || w.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %d, Allow %q", method, path, w.Code, w.Header().Get("Allow"))
			}
		}
		get, head := s.ask("GET", path), s.ask("HEAD", path)
		if head.Code != get.Code || head.Body.Len() != 0 || head.Header().Get("Content-Length") != get.Header().Get("Content-Length") {
			t.Errorf("HEAD %s: %d, %d bytes, length %s", path, head.Code, head.Body.Len(), head.Header().Get("Content-Length"))
		}
	}
}

// TestProblems: a person gets a page, a program an object.
func TestProblems(t *testing.T) {
	s := newSite(t, web.Options{})
	for path, code := range map[string]protocol.Code{"/?page=0": protocol.Usage, "/?show=lunch": protocol.Usage,
		"/?sort=lunch": protocol.Usage, "/start?thread=RS-20260110-none": protocol.NotFound} {
		page, object := s.ask("GET", path), s.ask("GET", path, "Accept", "application/json")
		status := code.Info().Class.HTTPStatus()
		if page.Code != status || !strings.Contains(page.Body.String(), "<h1>") || !strings.Contains(page.Body.String(), string(code)) {
			t.Errorf("%s as a page: %d %s", path, page.Code, page.Body)
		}
		var failure struct {
			OK    bool
			Error struct{ Code protocol.Code }
		}
		if err := json.Unmarshal(object.Body.Bytes(), &failure); err != nil || object.Code != status || failure.OK ||
			failure.Error.Code != code {
			t.Errorf("%s as JSON: %d %v %s", path, object.Code, err, object.Body)
		}
	}
	if w := s.ask("GET", "/no/such/page", "User-Agent", "Mozilla/5.0"); w.Code != http.StatusNotFound ||
		!strings.Contains(w.Body.String(), "<h1>") {
		t.Errorf("nowhere, for a person: %d %s", w.Code, w.Body)
	}
	for _, path := range []string{"/assets/none", "/assets", "/t/x/compile"} {
		if w := s.ask("DELETE", path); path != "/assets/none" &&
			(w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != "application/json") {
			t.Errorf("DELETE %s: %d %s", path, w.Code, w.Body)
		}
		if w := s.ask("GET", path); w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("GET %s: %d %s", path, w.Code, w.Body)
		}
	}
	if w := s.ask("GET", "/no/such/page"); w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("nowhere: %d %s", w.Code, w.Header().Get("Content-Type"))
	}
}

// TestSessionsPage: what a row tells, hostile or not.
func TestSessionsPage(t *testing.T) {
	s := newSite(t, web.Options{Lab: true})
	s.expect(s.see("/"), "No question yet", "brenner session start")
	s.begin("RS-20260110-cells", "Why do cells turn? "+mischief, "BlueLake", "RedSky")
	page := s.see("/")
	s.expect(page, "Why do cells turn?", `href="/t/RS-20260110-cells"`, "No explanation yet", "Agents have not joined", "Waiting for you",
		"/start")
	for _, raw := range []string{"<script>alert", "<img src=x", `" onclick=`} {
		if strings.Contains(page, raw) {
			t.Errorf("%q is not inert", raw)
		}
	}
	s.expect(s.see("/?q=nothing+of+this"), "No question matches")
	readOnly := newSite(t, web.Options{})
	if page := readOnly.see("/start"); strings.Contains(page, "data-api") || !strings.Contains(page, "brenner serve --lab") {
		t.Error("without lab mode the start page has a form, or does not say why not")
	}
}

// TestSessionsArePaged: each session is on exactly one page.
func TestSessionsArePaged(t *testing.T) {
	s := newSite(t, web.Options{})
	for i := range 27 {
		s.begin(fmt.Sprintf("RS-20260110-cells-%02d", i), fmt.Sprintf("Question %d?", i), "BlueLake")
	}
	first, second, third := s.see("/"), s.see("/?page=2"), s.see("/?page=3")
	for i := range 27 {
		link := fmt.Sprintf(`<a href="/t/RS-20260110-cells-%02d"`, i)
		if n := strings.Count(first+second+third, link+" data-row-link"); n != 1 {
			t.Errorf("%s stands %d times on the three pages", link, n)
		}
	}
	s.expect(first, "1–10 of 27", `rel="next" href="/?page=2"`)
	s.expect(second, "11–20 of 27", `rel="prev" href="/"`)
	s.expect(third, "21–27 of 27", `rel="prev" href="/?page=2"`)
}

// TestSearchPage: finds, marks, narrows, and says what it cannot do.
func TestSearchPage(t *testing.T) {
	s := newSite(t, web.Options{})
	for i := range 23 {
		s.begin(fmt.Sprintf("RS-20260110-cells-%02d", i), "Why do gonads migrate? "+mischief, "BlueLake")
	}
	page := s.see("/search?q=GONAD*")
	s.expect(page, "<mark>gonads</mark>", `data-type="KICKOFF"`, `rel="next" href="/search?page=2&amp;q=GONAD%2A"`, `value="GONAD*"`)
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img src=x") {
		t.Error("a snippet is not inert")
	}
	if hits := strings.Count(page, "data-row-link"); hits != 20 {
		t.Errorf("%d hits on the first page", hits)
	}
	if hits := strings.Count(s.see("/search?q=GONAD*&page=2"), "data-row-link"); hits != 3 {
		t.Errorf("%d hits on the second page", hits)
	}
	if hits := strings.Count(s.see("/search?q=gonads&thread=RS-20260110-cells-07"), "data-row-link"); hits != 1 {
		t.Errorf("%d hits in a thread", hits)
	}
	s.expect(s.see("/search?q=gonads&type=DELTA"), "No message has all of this")
	s.expect(s.see("/search?q=gonads&type=LUNCH"), "There is no type")
	s.expect(s.see("/search?q=NOT+gonads"), `role="alert"`)
	s.expect(s.see("/search"), "Search items, sources and all messages")
}

// TestStartPage: sections are quoted, a further round is offered.
func TestStartPage(t *testing.T) {
	s := newSite(t, web.Options{Lab: true})
	s.expect(s.see("/start"), `data-api="POST /api/v1/sessions"`, "default-3-agent", "§2", "&lt;b&gt;Second&lt;/b&gt;",
		"hypothesis generator")
	s.expect(s.see("/start?sections=1"), "One.")
	s.expect(s.see("/start?sections=9"), "finding")
	s.expect(s.see("/start?sections=x"), "finding")
	s.begin("RS-20260110-cells", "Why do cells turn?", "BlueLake")
	s.expect(s.see("/start?thread=RS-20260110-cells"), `name="round" value="2"`, `name="focus"`, "Why do cells turn?")
	s.expect(s.see("/start?after=RS-20260110-cells"), `name="after" value="RS-20260110-cells"`, `name="slug"`, "Why do cells turn?",
		"Go on in a new session")
}

// TestPagesAreKept: the same page again is the same answer, until something happens.
func TestPagesAreKept(t *testing.T) {
	s := newSite(t, web.Options{})
	s.begin("RS-20260110-cells", "Why do cells turn?", "BlueLake")
	first := s.ask("GET", "/")
	tag := first.Header().Get("ETag")
	if w := s.ask("GET", "/", "If-None-Match", tag); tag == "" || w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Fatalf("the same page: %d, tag %q", w.Code, tag)
	}
	s.begin("RS-20260110-worms", "Why do worms turn?", "BlueLake")
	if w := s.ask("GET", "/", "If-None-Match", tag); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "worms") {
		t.Errorf("after an event: %d", w.Code)
	}
	tag = s.ask("GET", "/").Header().Get("ETag")
	s.now = s.now.Add(time.Minute)
	if w := s.ask("GET", "/", "If-None-Match", tag); w.Code != http.StatusOK {
		t.Errorf("after a minute: %d", w.Code)
	}
	s.viewer = web.Viewer{Name: "BlueLake", SignedIn: true}
	s.expect(s.see("/"), "as BlueLake", `action="/logout"`)
	s.viewer = web.Viewer{}
	if strings.Contains(s.see("/"), "BlueLake ·") {
		t.Error("somebody sees the page of somebody else")
	}
}

// TestPagesArePacked: who understands gzip gets it, with the same content.
func TestPagesArePacked(t *testing.T) {
	s := newSite(t, web.Options{})
	s.begin("RS-20260110-cells", "Why do cells turn?", "BlueLake")
	for _, path := range []string{"/", "/search?q=cells", "/start"} {
		packed := s.ask("GET", path, "Accept-Encoding", "gzip, br")
		r, err := gzip.NewReader(packed.Body)
		if err != nil || packed.Header().Get("Content-Encoding") != "gzip" {
			t.Fatalf("%s: %v", path, err)
		}
		plain, err := io.ReadAll(r)
		if err != nil || string(plain) != s.see(path) {
			t.Errorf("%s: the packed page is another one: %v", path, err)
		}
	}
}

// TestLoginPageSaysNothing: who is outside learns nothing about the project.
func TestLoginPageSaysNothing(t *testing.T) {
	s := newSite(t, web.Options{})
	s.begin("RS-20260110-cells", "Why do cells turn?", "BlueLake")
	page := s.see("/login?next=/t/x")
	s.expect(page, `action="/login"`, `name="next" value="/t/x"`)
	for _, secret := range []string{s.Mail().Project().HumanKey, "BlueLake", "/genealogy"} {
		if strings.Contains(page, secret) {
			t.Errorf("the sign-in page says %q", secret)
		}
	}
	if w := s.ask("GET", "/login?failed=1"); w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "not known here") {
		t.Errorf("after a wrong token: %d", w.Code)
	}
	onwards := `http-equiv="refresh"`
	if w := s.ask("GET", "/login?next=/t/x", "Sec-Fetch-Site", "cross-site"); !strings.Contains(w.Body.String(), onwards) {
		t.Error("a link from elsewhere does not go on")
	}
	for _, next := range []string{"//evil.example", "https://evil.example", "/\\evil.example", "/%09/evil.example", "/%0a/evil.example",
		"/x%5cy", "/"} {
		if w := s.ask("GET", "/login?next="+next, "Sec-Fetch-Site", "cross-site"); strings.Contains(w.Body.String(), onwards) {
			t.Errorf("goes on to %q", next)
		}
	}
}

// TestPagesAreKeptForOneViewer: what was made for one person is never shown to another, nor what was made
// for a person who was signed in to one who is not.
func TestPagesAreKeptForOneViewer(t *testing.T) {
	s := newSite(t, web.Options{})
	s.begin("RS-20260110-cells", "Why do cells turn?", "BlueLake", "RedSky")
	viewers := []web.Viewer{
		{}, {Name: "Operator", Operator: true}, {Name: "Operator", Operator: true, SignedIn: true}, {Name: "BlueLake"},
		{Name: "BlueLake", SignedIn: true}, {Name: "RedSky"},
	}
	for _, path := range []string{"/", "/inbox", "/inbox/BlueLake", "/t/RS-20260110-cells"} {
		for range 2 { // made, then kept
			for _, v := range viewers {
				s.viewer = v
				w := s.ask("GET", path)
				if path == "/inbox/BlueLake" && v.Name == "RedSky" {
					if w.Code != http.StatusForbidden || strings.Contains(w.Body.String(), "KICKOFF") {
						t.Errorf("RedSky sees the inbox of BlueLake: %d", w.Code)
					}
					continue
				}
				page := w.Body.String()
				_, foot, _ := strings.Cut(page, `<span class="project"`)
				foot, _, _ = strings.Cut(foot, "</footer>")
				if w.Code != http.StatusOK || strings.Contains(foot, ">as ") != (v.Name != "") || v.Name != "" &&
					!strings.Contains(foot, "as "+v.Name+" ") {
					t.Errorf("%s for %+v: %d, %s", path, v, w.Code, foot)
				}
				if strings.Contains(page, `action="/logout"`) != v.SignedIn {
					t.Errorf("%s for %+v: signing out", path, v)
				}
			}
		}
	}
}
