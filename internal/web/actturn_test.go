package web_test

import (
	"testing"

	"brenner/internal/web"
)

// TestTurnInAChat: beside each agent that was called stands how its turn goes to a chat; the page has the prompt and a place for the
// answer.
func TestTurnInAChat(t *testing.T) {
	s := newMailSite(t, web.Options{Lab: true})
	s.play()
	address := "/t/" + mailThread + "/do/turn?of=RedSky"
	s.shows(s.get("/t/"+mailThread, 200), `<a class="sm" href="`+address+`" data-sheet>Ask in a chat</a>`)
	page := s.get(address, 200)
	s.shows(page, "<h1 id=\"act-h\">Ask RedSky in a chat</h1>", `data-copies="turn-prompt"`,
		"You are RedSky in the research session "+mailThread+".",
		`data-api="POST /api/v1/sessions/`+mailThread+`/ask"`, `data-validate-with="dry_run"`, `name="as" value="RedSky"`)
	s.get("/t/"+mailThread+"/do/turn?of=Nobody", 404)
	s.get("/t/"+mailThread+"/do/turn", 400)

	s = newMailSite(t, web.Options{})
	s.play()
	s.hides(s.get("/t/"+mailThread, 200), "Ask in a chat")
	s.hides(s.get(address, 200), `data-api="POST`)
}
