package web

import (
	"net/http"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// thing is an item or a source that a search found.
type thing struct {
	ID, Where  string
	Href       string
	Title      []piece
	Text       []piece
	Killed     bool
	ThreadID   string // empty for a source
	ThreadLink string
}

// The bounds of a search among items: how many of the latest sessions are looked through, and how many
// things are shown.
const (
	searchedSessions = 12
	maxThings        = 12
)

// things finds items of the latest versions and sources of the evidence pack that have all the words.
func (w *Web) things(r *http.Request, p *searchPage, terms []mail.Term, views map[string]*fold.View) error {
	words := wordsOf(terms)
	if len(words) == 0 {
		return nil
	}
	p.sources(w, words, terms)
	service := w.deps.Sessions.Mail()
	threads, err := service.Store().Threads(r.Context(), mail.ThreadQuery{Project: service.Project().ID})
	if err != nil {
		return err
	}
	read := 0
	for _, t := range threads {
		if t.LatestVersion == 0 || t.Archived() || p.Thread != "" && p.Thread != t.ID || read == searchedSessions ||
			len(p.Things) >= maxThings {
			continue
		}
		if w.deps.Access(r.Context()).CheckThread(r.Context(), t.ID) != nil {
			continue
		}
		read++
		if w.take(r.Context(), views, []string{t.ID}); views[t.ID] == nil {
			continue
		}
		v, err := w.deps.Sessions.Published(r.Context(), views[t.ID])
		if protocol.CodeOf(err) == protocol.NotFound {
			continue
		}
		if err != nil {
			return err
		}
		p.items(v.Fold.Artifact(), t, words, terms)
	}
	return nil
}

func (p *searchPage) items(a *artifact.Artifact, t mail.Thread, words []string, terms []mail.Term) {
	for _, section := range artifact.Sections() {
		for _, it := range a.Items(section) {
			text := it.Lead()
			if len(p.Things) >= maxThings || !hasAll(string(it.ID)+" "+it.Title()+" "+text, words) {
				continue
			}
			p.Things = append(p.Things, thing{
				ID: string(it.ID), Where: section.Title(), Href: versionItemURL(t.ID, t.LatestVersion, string(it.ID)),
				Killed: it.Killed != nil,
				Title:  highlight(short(160, it.Title()), terms), Text: highlight(short(240, text), terms), ThreadID: t.ID,
				ThreadLink: threadURL(t.ID),
			})
		}
	}
}

func (p *searchPage) sources(w *Web, words []string, terms []mail.Term) {
	pack, err := w.deps.Sessions.Pack()
	if err != nil || p.Thread != "" {
		return // a project without a pack has no sources
	}
	for _, s := range pack.Sources {
		var passages strings.Builder
		for _, e := range s.Excerpts {
			passages.WriteString(" " + e.Text)
		}
		if len(p.Things) < maxThings && hasAll(s.ID+" "+s.Title+" "+s.Source+passages.String(), words) {
			p.Things = append(p.Things, thing{
				ID: s.ID, Where: "Source", Href: sourceURL(s.ID), Title: highlight(short(160, s.Title), terms),
				Text: highlight(short(240, strings.TrimSpace(passages.String())), terms),
			})
		}
	}
}

// wordsOf lists the words of terms, in small letters.
func wordsOf(terms []mail.Term) []string {
	var words []string
	for _, t := range terms {
		for _, word := range t.Words {
			words = append(words, strings.ToLower(word))
		}
	}
	return words
}

func hasAll(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
