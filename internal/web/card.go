package web

import (
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/fold"
	"brenner/internal/protocol"
)

// cardPage is what a reference refers to: in short beside it, and with the rest in the panel.
type cardPage struct {
	Ref, Title string
	Text       string // the claim, or the passage
	State      string
	Cited      []refLink // items that refer to it
	Killed     bool

	Href     string // where all of it stands
	Percent  string // what is believed of an explanation; empty: it is none
	Parts    []cardPart
	Results  []resultCard
	Passages []markedPassage
	Attacks  []earlierAttack
	Do       []cardAct
}

// cardPart is a text of what is referred to.
type cardPart struct {
	Label string
	Text  template.HTML
}

// markedPassage is what is quoted of a source, with the words around it.
type markedPassage struct {
	Before, Quote, After string
	Page                 int // 0: the source has none
	By                   refLink
}

// cardAct is something that can be done about it.
type cardAct struct{ Word, Href string }

// maxCited is how many items a card names.
const maxCited = 12

// card shows what one reference in the texts of a thread refers to.
func (w *Web) card(r *http.Request) (view, error) {
	name := r.URL.Query().Get("ref")
	found := referencesIn(name)
	if len(found) != 1 || found[0].Name != name {
		return view{}, protocol.Errorf(protocol.NotFound, "%.40q refers to nothing", name)
	}
	of, err := w.deps.Sessions.Session(r.Context(), r.PathValue("thread"))
	if err != nil {
		return view{}, err
	}
	p := cardPage{Ref: name}
	rd := w.readerOf(of.View, onTimeline)
	switch found[0].Kind {
	case 'H':
		if err = p.item(of.View, artifact.ItemID(name)); err == nil {
			err = w.itemPanel(of, rd, &p)
		}
	case '#':
		if err = w.messageCard(r, &p, name[1:]); err == nil {
			err = w.messagePanel(of, &p)
		}
	case 'E':
		if err = w.sourceCard(&p, name); err == nil {
			err = w.sourcePanel(r, of, &p)
		}
	default:
		err = w.sectionCard(&p, strings.TrimPrefix(name, "§"))
	}
	p.Cited = rd.citedIn(of.View.Fold.Artifact(), name)
	return view{Template: "card", Title: name, Bare: true, Thread: r.PathValue("thread"), Data: p}, err
}

func (p *cardPage) item(v *fold.View, id artifact.ItemID) error {
	it := v.Fold.Artifact().Item(id)
	if it == nil {
		return protocol.Errorf(protocol.NotFound, "there is no item %s", id)
	}
	p.Title, p.Text, p.State = short(160, it.Title()), short(320, it.Lead()), wordFor(it.Section)
	if k := it.Killed; k != nil {
		p.Killed, p.State = true, "✕ given up by "+k.By+": "+short(200, k.Reason)
	} else if status := it.Text(artifact.Status); status != "" {
		p.State += ", " + short(40, status)
	}
	return nil
}

// wordFor is what an item is, in a word that needs no protocol.
func wordFor(s artifact.Section) string {
	switch s {
	case artifact.ResearchThread:
		return "the question"
	case artifact.HypothesisSlate:
		return "explanation"
	case artifact.PredictionsTable:
		return "prediction"
	case artifact.DiscriminativeTests:
		return "test"
	case artifact.AssumptionLedger:
		return "assumption"
	case artifact.AnomalyRegister:
		return "what does not fit"
	}
	return "attack"
}

func (w *Web) messageCard(r *http.Request, p *cardPage, number string) error {
	id, err := idOf(number)
	if err != nil {
		return err
	}
	m, err := w.deps.Access(r.Context()).Message(r.Context(), id)
	if err != nil {
		return err
	}
	p.Title, p.Text = short(160, m.Subject), short(280, strings.Join(strings.Fields(proseOf(m.Body)), " "))
	p.State = fmt.Sprintf("%s by %s", m.Type, m.From)
	return nil
}

func (w *Web) sourceCard(p *cardPage, name string) error {
	id, excerpt, _ := strings.Cut(name, "#")
	s, err := w.deps.Sessions.Source(id)
	if err != nil {
		return err
	}
	p.Title, p.State = short(160, s.Title), short(160, s.Source)
	if e, ok := s.Excerpt(excerpt); ok {
		p.Text = short(600, e.Text)
	}
	return nil
}

func (w *Web) sectionCard(p *cardPage, number string) error {
	n, err := strconv.Atoi(number)
	if err != nil || w.deps.Transcript == nil {
		return protocol.Errorf(protocol.NotFound, "there is no section %s", number)
	}
	s, ok := w.deps.Transcript.Section(n)
	if !ok {
		return protocol.Errorf(protocol.NotFound, "the transcript has no section %d", n)
	}
	p.Title, p.Text, p.State = short(160, s.Title), short(480, strings.TrimSpace(s.Text)), "in the transcript"
	return nil
}

// citedIn lists the active items whose texts refer to something.
func (rd *reader) citedIn(a *artifact.Artifact, name string) []refLink {
	var list []refLink
	for _, section := range artifact.Sections() {
		for _, it := range a.Items(section) {
			if len(list) < maxCited && it.Active() && string(it.ID) != name && refersTo(it, name) {
				list = append(list, refLink{Name: string(it.ID), Href: rd.places.Item(it.ID)})
			}
		}
	}
	return list
}

func refersTo(it *artifact.Item, name string) bool {
	for _, spec := range it.Section.Fields() {
		text := artifact.ValueText(it.Get(spec.Name))
		if strings.Contains(text, name) && slices.ContainsFunc(referencesIn(text), func(r ref) bool { return r.Name == name }) {
			return true
		}
	}
	return false
}
