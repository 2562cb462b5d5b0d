package web_test

import (
	"net/http"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/web"
)

// TestArchivedSession: lists have an archived session with its question; its page, also one that was seen before, says where
// its messages are.
func TestArchivedSession(t *testing.T) {
	s := newSite(t, web.Options{})
	const thread = "RS-20260110-cells-turn"
	s.begin(thread, "Why do cells turn?", "BlueLake")
	s.begin("RS-20260110-cells-stay", "Why do cells stay?", "BlueLake")
	s.see("/")
	s.see("/t/" + thread)
	archiver, err := s.Mail().ThreadArchiver()
	if err != nil {
		t.Fatal(err)
	}
	_, err = archiver.ArchiveThread(t.Context(), s.Mail().Project().ID, thread,
		func(t mail.Thread, _ []mail.Message) (mail.ArchivedThread, error) {
			return mail.ArchivedThread{
				Project: t.Project, ID: t.ID, HeadID: t.HeadID, ChainHash: t.ChainHash, Title: "Why do cells turn?", Crate: "cells.zip",
				Through: t.HeadID, At: s.now,
			}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	s.expect(s.see("/"), "archived at version", "Why do cells turn?", "Why do cells stay?")
	s.expect(s.see("/?show=closed"), "Why do cells turn?")
	s.expect(s.see("/?q=turn"), "Why do cells turn?")
	for _, path := range []string{"/t/" + thread, "/m/1"} {
		w := s.ask("GET", path)
		if w.Code != http.StatusConflict {
			t.Errorf("%s: %d", path, w.Code)
		}
		s.expect(w.Body.String(), "THREAD_ARCHIVED", "cells.zip")
	}
	for _, path := range []string{"/now", "/search?q=cells", "/genealogy", "/t/RS-20260110-cells-stay", "/inbox/BlueLake"} {
		s.see(path)
	}
}
