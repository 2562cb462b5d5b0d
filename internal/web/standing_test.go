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

// TestSharedSourcesAreTold: two results that rest on one source say so where belief is explained, also if one of them cites only a
// passage of it; results with sources of their own do not.
func TestSharedSourcesAreTold(t *testing.T) {
	const told = "T1 and T2 rest on one source"
	s := newMailSite(t, web.Options{})
	s.play()
	s.send("BlueLake", "DELTA[gpt]: Two tests", addTest("Drop it")+addTest("Shade it"))
	s.send("BlueLake", "DELTA[gpt]: Found", found("T1", "EV-001")+found("T2", "EV-002"))
	s.hides(s.get("/t/"+mailThread, 200), told)
	s.send("BlueLake", "DELTA[gpt]: Found again", found("T2", "EV-001#E1"))
	s.shows(s.get("/t/"+mailThread, 200), told, "shared sources counted once")
}

func addTest(name string) string {
	return "```delta\n" + `{"operation":"ADD","section":"discriminative_tests","payload":{"name":` + quoted(name) + `,"procedure":"look",` +
		`"discriminates":"H1 vs H2","expected_outcomes":{"H1":"falls","H2":"flies"}},"rationale":"r"}` + "\n```\n\n"
}

func found(test, source string) string {
	return "```delta\n" + `{"operation":"EDIT","section":"discriminative_tests","target_id":` + quoted(test) +
		`,"payload":{"status":"passed","last_run":{"outcome":"falls","evidence":[` + quoted(source) + `]}},"rationale":"r"}` + "\n```\n\n"
}
