package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"brenner/internal/web"
)

// TestPagesWhileSomebodyWrites: what readers share is not changed under them, and after the last message
// every page shows it.
func TestPagesWhileSomebodyWrites(t *testing.T) {
	s := newSite(t, web.Options{})
	s.fill(2, 8, 30)
	pages := []string{"/", "/t/" + benchThread, "/t/" + benchThread + "/draft", "/t/" + benchThread + "/v/1",
		"/t/" + benchThread + "/diff?from=1&to=draft", "/genealogy", "/inbox", "/inbox/RedSky"}
	over := make(chan struct{})
	var readers sync.WaitGroup
	for i := range 3 {
		readers.Go(func() {
			for n := i; ; n++ {
				select {
				case <-over:
					return
				default:
				}
				if w := s.ask("GET", pages[n%len(pages)]); w.Code != http.StatusOK {
					t.Errorf("%s: %d %s", pages[n%len(pages)], w.Code, w.Body)
					return
				}
			}
		})
	}
	for range 12 {
		s.change("note")
		s.change("delta")
	}
	close(over)
	readers.Wait()
	for path, want := range map[string]string{"/t/" + benchThread: "Assay 2000",
		"/t/" + benchThread + "/draft": fmt.Sprintf("%d delta", 12), "/inbox/RedSky": "one more"} {
		if w := s.ask("GET", path); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s does not show %q", path, want)
		}
	}
}
