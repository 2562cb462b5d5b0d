package web_test

import (
	"testing"

	"brenner/internal/web"
)

// TestSlateSaysWhoCheckedWhat: each hypothesis has its review state and what it rests on, with the reason.
func TestSlateSaysWhoCheckedWhat(t *testing.T) {
	s := newMailSite(t, web.Options{Lab: true})
	s.play()
	page := s.get("/t/"+mailThread, 200)
	s.shows(page, "contested 1 attack, 1 open, Critical", "unreviewed never attacked", "Call the agents again",
		`href="/compose?thread=`+mailThread+`"`, "Critical attack on H1 RedSky: Too slow")
}

// TestCards: what a reference refers to is a page of its own, and what refers to nothing is not found.
func TestCards(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.play()
	at := "/t/" + mailThread + "/card?ref="
	s.shows(s.get(at+"H1", 200), "H1 Gravity", "It pulls.")
	s.shows(s.get(at+"%235", 200), "#5 CRITIQUE: Too slow", "CRITIQUE by RedSky")
	for _, ref := range []string{"H9", "%239999", "EV-001", "%C2%A712", "x", "", "H1%20H2"} {
		s.get(at+ref, 404)
	}
}
