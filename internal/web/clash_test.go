package web_test

import (
	"net/http"
	"testing"

	"brenner/internal/web"
)

// TestConflictsAreSeen: what two agents set differently is on the draft, on its version and in the diff, with both values,
// their authors and what is kept; the next version has it no more.
func TestConflictsAreSeen(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.open(paperThread, "Why do cells turn?")
	s.contribute(paperThread, "BlueLake", hypothesis("Gravity", "It pulls the cell down.", nil), hypothesis("Light", "It pushes.", nil))
	s.publish(paperThread)
	edit := func(claim string) string {
		return block("EDIT", "hypothesis_slate", "H1", fields{"claim": claim}, "Seen")
	}
	s.contribute(paperThread, "BlueLake", edit("It pulls at noon."))
	s.contribute(paperThread, "RedSky", edit("It pulls at night."))
	both := []string{"BlueLake", "It pulls at noon.", "overruled", "RedSky", "It pulls at night.", "✓ stands"}
	s.shows(element(t, s.get("/t/"+paperThread+"/draft", http.StatusOK), "article", "H1"), append(both, "since the latest version")...)
	s.shows(s.get("/t/"+paperThread+"/diff?from=1&to=draft", http.StatusOK), append(both, "1 value that agents set differently")...)
	s.publish(paperThread)
	s.shows(element(t, s.get("/t/"+paperThread+"/v/2", http.StatusOK), "article", "H1"), append(both, "set differently for v2")...)
	s.shows(s.get("/t/"+paperThread+"/diff", http.StatusOK), append(both, "1 value that agents set differently")...)
	s.contribute(paperThread, "RedSky", hypothesis("Wind", "It blows.", nil))
	s.publish(paperThread)
	s.hides(s.get("/t/"+paperThread+"/v/3", http.StatusOK), `class="clash"`)
	s.hides(s.get("/t/"+paperThread+"/v/1", http.StatusOK), `class="clash"`)
	s.shows(s.get("/t/"+paperThread+"/diff?from=1&to=3", http.StatusOK), both...)
}

// TestDisputesStay: values of one instant that no one of the roster decides are shown in every version until a person edits them.
func TestDisputesStay(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.open(paperThread, "Why do cells turn?")
	s.contribute(paperThread, "BlueLake", hypothesis("Gravity", "It pulls the cell down.", nil))
	s.publish(paperThread)
	for from, claim := range map[string]string{"GreenRiver": "It pulls at noon.", "RedFox": "It pulls at night."} {
		s.take(`{"thread_id":"` + paperThread + `","from":"` + from + `","to":["Operator"],"subject":"DELTA[gpt]: Claim","body_md":` +
			quoted("# Delta\n\n"+block("EDIT", "hypothesis_slate", "H1", fields{"claim": claim}, "Seen")) +
			`,"created_ts":"2026-01-10T10:00:00Z"}`)
	}
	s.publish(paperThread)
	s.contribute(paperThread, "BlueLake", hypothesis("Wind", "It blows.", nil))
	s.publish(paperThread)
	for _, version := range []string{"2", "3"} {
		s.shows(element(t, s.get("/t/"+paperThread+"/v/"+version, http.StatusOK), "article", "H1"),
			"in dispute", "the value before stands until a person edits it", "It pulls at noon.", "It pulls at night.", "GreenRiver",
			"RedFox")
	}
}
