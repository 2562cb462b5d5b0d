package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"brenner/internal/mail/transfer"
	"brenner/internal/session"
	"brenner/internal/web"
)

// BenchmarkSessionPage measures a page of a thread that was not asked for before: of a session
// that just began, and of one with 1,000 items in its artifact and a hundred thousand messages.
func BenchmarkSessionPage(b *testing.B) {
	for _, size := range []int{0, 100_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s := newMailSite(b, web.Options{})
			s.play()
			if size > 0 {
				s.fill(size)
			}
			s.fetch("/t/" + mailThread)
			n := 0
			for b.Loop() {
				n++
				s.fetch(fmt.Sprintf("/t/%s?at=%d&fresh=%d", mailThread, 1+n%(size+6), n)) // at an address that was never kept
			}
		})
	}
}

func (s *mailSite) fetch(path string) {
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Accept", "text/html")
	rec := httptest.NewRecorder()
	if s.web.ServeHTTP(rec, r); rec.Code != http.StatusOK {
		s.t.Fatalf("%s answers %d", path, rec.Code)
	}
}

// fill makes a long thread: first deltas that add 1,000 assumptions, then talk, with a version
// every five thousand messages.
func (s *mailSite) fill(size int) {
	var lines []string
	for i := range size {
		subject, body := fmt.Sprintf("INFO: note %d", i), "# Note\n\nSome text that somebody wrote about what they saw.\n"
		if i < 1000 {
			subject = fmt.Sprintf("DELTA[gpt]: assumption %d", i)
			body = fmt.Sprintf("# Delta\n\n```delta\n{\"operation\":\"ADD\",\"section\":\"assumption_ledger\",\"payload\":{\"name\":\"A "+
				"%d\",\"statement\":\"It holds.\",\"load\":\"l\",\"test\":\"t\",\"status\":\"unchecked\"},\"rationale\":\"r\"}\n```\n", i)
		}
		lines = append(lines, fmt.Sprintf(`{"thread_id":%q,"from":"BlueLake","to":["Operator"],"subject":%q,"body_md":%s,`+
			`"created_ts":"2026-01-10T10:%02d:%02d.%06dZ"}`,
			mailThread, subject, quoted(body), i/60000, i/1000%60, i%1000))
		if len(lines) == 5000 || i == size-1 {
			if _, err := transfer.Import(s.t.Context(), s.Mail(), strings.NewReader(strings.Join(lines, "\n")+"\n")); err != nil {
				s.t.Fatal(err)
			}
			lines = nil
			if _, err := s.Compile(s.t.Context(), session.CompileRequest{ThreadID: mailThread, As: "Operator"}); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}
