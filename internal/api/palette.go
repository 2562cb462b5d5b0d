package api

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"brenner/internal/artifact"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// The bounds of the palette: it is asked with every key that a person presses.
const (
	paletteSessions = 60 // whose questions are known by heart
	paletteArtifact = 6  // whose items are
	paletteEntries  = 24 // that are shown
)

// place is somewhere to go.
type place struct {
	Title string `json:"title"`
	Hint  string `json:"hint"`
	URL   string `json:"url"`
	Kind  string `json:"kind"` // page, session, agent, item, search

	key    string // what is matched, in lower case
	thread string // that has to be readable; empty: all may go there
}

type paletteQuery struct {
	Q string `query:"q" about:"a few letters; nothing shows pages and the latest sessions"`
}

type paletteAnswer struct {
	Entries []place `json:"entries"`
}

// palette is what can be gone to as of a revision of the project: that of the last question (BenchmarkPalette).
type palette struct {
	mu     sync.Mutex
	at     session.Revision
	places []place // nil: none was found yet
}

func (a *API) listPlaces(ctx context.Context, _ Caller, in paletteQuery) (paletteAnswer, error) {
	places, err := a.places(ctx)
	if err != nil {
		return paletteAnswer{}, err
	}
	answer := paletteAnswer{Entries: []place{}}
	readable, err := a.deps.Access(ctx).ThreadSet(ctx)
	if err != nil {
		return paletteAnswer{}, err
	}
	words := strings.Fields(strings.ToLower(in.Q))
	for _, p := range places {
		if len(answer.Entries) == paletteEntries {
			break
		}
		if p.thread != "" && !readable.Has(p.thread) {
			continue
		}
		if p.matches(words) && (len(words) > 0 || p.Kind != "item") {
			answer.Entries = append(answer.Entries, p)
		}
	}
	if q := strings.TrimSpace(in.Q); q != "" {
		answer.Entries = append(answer.Entries, place{Title: "Search messages for “" + protocol.Brief(q) + "”", Hint: "search",
			URL: "/search?q=" + url.QueryEscape(q), Kind: "search"})
	}
	return answer, nil
}

func (p *place) matches(words []string) bool {
	for _, word := range words {
		if !strings.Contains(p.key, word) {
			return false
		}
	}
	return true
}

// places are those of the project as it is now. The palette asks with every key.
func (a *API) places(ctx context.Context) ([]place, error) {
	revision, err := a.deps.Sessions.Revision(ctx, "")
	if err != nil {
		return nil, err
	}
	a.palette.mu.Lock()
	defer a.palette.mu.Unlock()
	if a.palette.places != nil && a.palette.at == revision {
		return a.palette.places, nil
	}
	places, err := a.findPlaces(ctx)
	if err == nil {
		a.palette.at, a.palette.places = revision, places
	}
	return places, err
}

func (a *API) findPlaces(ctx context.Context) ([]place, error) {
	places := []place{
		newPlace("page", "Questions", "all sessions", "/"),
		newPlace("page", "Ask a question", "start a session: question, roster, excerpt", "/start"),
		newPlace("page", "Family tree", "genealogy: how ideas descend from each other", "/genealogy"),
		newPlace("page", "Sources", "evidence and excerpts", "/evidence"),
		newPlace("page", "Inbox", "of the operator", "/inbox"),
		newPlace("page", "Compose", "write a message", "/compose"),
	}
	sessions, items, err := a.sessionPlaces(ctx)
	if err != nil {
		return nil, err
	}
	places = append(places, sessions...)
	agents, err := a.deps.Sessions.Mail().Agents(ctx)
	if err != nil {
		return nil, err
	}
	for _, agent := range agents {
		places = append(places, newPlace("agent", agent.Name, strings.TrimSpace("inbox "+agent.Program),
			"/inbox/"+url.PathEscape(agent.Name)))
	}
	return append(places, items...), nil
}

// paletteParts is of how many sessions the parts of their pages are known.
const paletteParts = 3

// sessionParts are what the pages of a session show.
var sessionParts = []struct{ name, address string }{
	{"What next", "#next"}, {"Life-lines", "#life"}, {"Belief", "#belief"}, {"Evidence matrix", "#matrix"}, {"Argument map", "/map"},
	{"Review queue", "#critiques"},
	{"Timeline", "#timeline"}, {"Record", "#record"},
}

// sessionPlaces are all sessions by their ids, the latest also by their questions and the items of
// their artifacts.
func (a *API) sessionPlaces(ctx context.Context) (sessions, items []place, err error) {
	m := a.deps.Sessions.Mail()
	threads, err := m.Store().Threads(ctx, mail.ThreadQuery{Project: m.Project().ID})
	if err != nil {
		return nil, nil, err
	}
	latest, err := a.deps.Sessions.Overview(ctx, session.OverviewQuery{Limit: paletteSessions})
	if err != nil {
		return nil, nil, err
	}
	questions := make(map[string]string, len(latest.Sessions))
	for _, s := range latest.Sessions {
		questions[s.ThreadID] = s.Question
	}
	read := 0
	for _, t := range threads {
		if !t.Enforced() {
			continue
		}
		title, address := t.ID, "/t/"+url.PathEscape(t.ID)
		if question := questions[t.ID]; question != "" {
			title = question
		}
		if t.LatestVersion > 0 && read < paletteArtifact && !t.Archived() {
			read++
			v := a.deps.Sessions.Views(ctx, []string{t.ID})[t.ID]
			if v == nil {
				continue // it is gone, or cannot be folded
			}
			published, err := a.deps.Sessions.Published(ctx, v)
			if err != nil {
				return nil, nil, err
			}
			items = append(items, itemPlaces(published.Fold.Artifact(), t.ID, address+"/v/"+strconv.Itoa(t.LatestVersion))...)
		}
		sessions = append(sessions, newPlace("session", title, t.ID, address).of(t.ID))
		if read <= paletteParts && !t.Archived() {
			for _, part := range sessionParts {
				items = append(items, newPlace("item", part.name+": "+title, t.ID, address+part.address).of(t.ID))
			}
		}
	}
	return sessions, items, nil
}

func itemPlaces(art *artifact.Artifact, thread, address string) []place {
	var list []place
	for _, section := range artifact.Sections() {
		for _, it := range art.Items(section) {
			list = append(list, newPlace("item", string(it.ID)+" "+it.Title(), thread, address+"#"+url.PathEscape(string(it.ID))).
				of(thread))
		}
	}
	return list
}

func (p place) of(thread string) place {
	p.thread = thread
	return p
}

func newPlace(kind, title, hint, address string) place {
	return place{Title: protocol.Brief(title), Hint: protocol.Brief(hint), URL: address, Kind: kind,
		key: strings.ToLower(title + " " + hint)}
}
