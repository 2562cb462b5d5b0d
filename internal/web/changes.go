package web

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
	"brenner/internal/study"
	"brenner/internal/textdiff"
)

// changeCard is what a message did to one item, in words.
type changeCard struct {
	Verb      string // Adds, Edits, Kills, Finds
	ID, Name  string
	Href      string
	Fate      string        // what became of a result; empty: it stands
	Text      template.HTML // what an added item claims, or why one is killed
	Edits     []editView
	Rationale template.HTML
	Overruled []overruled
}

// toldBy tells whether the card of a test's result says all that the change says.
func (c *changeCard) toldBy(test artifact.ItemID) bool {
	return c.ID == string(test) && (c.Verb == finds || c.Verb == "Edits" && len(c.Overruled) == 0 &&
		!slices.ContainsFunc(c.Edits, func(e editView) bool { return !e.result }))
}

// Word is the verb as a reader says it.
func (c *changeCard) Word() string {
	switch c.Verb {
	case "Edits":
		return "Rewrites"
	case "Kills":
		return "Gives up"
	}
	return c.Verb
}

// overruled is a value that was not kept: another message of the same instant weighs more.
type overruled struct{ Label, Text, Against string }

// reader is for whom and where messages are shown.
type reader struct {
	viewer string
	in     setting
	latest *session.Latest // the version that items are shown in; nil before the first
	cast   study.Cast
	links  *linker
	places pageLinks
	fate   func(test artifact.ItemID, messageID int64) string // what became of a result; nil: not known
}

// cards puts the changes of a message together, item by item.
func (rd *reader) cards(e session.Entry) []changeCard {
	var list []changeCard
	for _, c := range e.Changes {
		verb := changeVerb(e, c)
		i := slices.IndexFunc(list, func(card changeCard) bool { return card.ID == string(c.Item) && card.Verb == verb })
		if i < 0 {
			i = len(list)
			list = append(list, rd.card(e, c, verb))
		}
		rd.fill(&list[i], c)
	}
	return list
}

// finds is the verb of a result.
const finds = "Finds"

func changeVerb(e session.Entry, c fold.Change) string {
	switch {
	case c.Kind == fold.Added:
		return "Adds"
	case c.Kind == fold.Killed:
		return "Kills"
	case slices.Contains(e.Results, c.Item) && tellsResult(c.Path):
		return finds
	}
	return "Edits"
}

// tellsResult reports whether a path of a test is one of those that tell its result.
func tellsResult(path string) bool {
	return path == artifact.LastRun || path == artifact.Status || strings.HasPrefix(path, artifact.ActualOutcomes+".")
}

func (rd *reader) card(e session.Entry, c fold.Change, verb string) changeCard {
	card := changeCard{Verb: verb, ID: string(c.Item), Name: short(160, c.Name), Rationale: rd.text(c.Rationale)}
	if verb == finds && rd.fate != nil {
		card.Fate = rd.fate(c.Item, e.ID)
	}
	if rd.links != nil {
		card.Href, _, _ = rd.links.item(c.Item)
	} else if rd.latest != nil && e.ID < rd.latest.MessageID {
		card.Href = versionItemURL(e.ThreadID, rd.latest.Version, string(c.Item))
	}
	return card
}

func (rd *reader) fill(card *changeCard, c fold.Change) {
	switch c.Kind {
	case fold.Added, fold.Killed:
		card.Text = rd.text(short(600, c.New))
	case fold.Overruled:
		card.Overruled = append(card.Overruled, overruled{c.Field, short(400, c.New), c.Against})
	default:
		spans := spansOf(c.Old, c.New)
		if card.Verb == finds && c.Path == artifact.LastRun { // another's result is not what this one changes
			spans = []spanView{{spanKinds[textdiff.Same], c.New}}
		}
		card.Edits = append(card.Edits, editView{Label: c.Field, Spans: spans, result: tellsResult(c.Path)})
	}
}

// text shows a text with its references as links.
func (rd *reader) text(text string) template.HTML { return linked(text, rd.links.links(text)) }

// spansOf compares two values word by word.
func spansOf(before, after string) []spanView {
	var spans []spanView
	for _, s := range textdiff.Words(before, after) {
		spans = append(spans, spanView{spanKinds[s.Change], s.Text})
	}
	return spans
}

// verbOf says what a message does, in words.
func verbOf(e session.Entry) string {
	switch e.Type {
	case protocol.TypeDelta:
		return deltaVerb(e)
	case protocol.TypeCritique:
		return "attacks"
	case protocol.TypeQuestion:
		return "asks " + strings.Join(e.To[:min(len(e.To), 3)], ", ")
	case protocol.TypeAck:
		return "acknowledges"
	case protocol.TypeCompiled:
		return "publishes a version"
	case protocol.TypeKickoff:
		return "opens a round"
	case protocol.TypeBlocked:
		return "is blocked"
	case protocol.TypeClaim:
		return "takes on work"
	case protocol.TypeHandoff:
		return "hands over"
	}
	return "reports"
}

// deltaVerb says what a DELTA did to items.
func deltaVerb(e session.Entry) string {
	items := map[string][]artifact.ItemID{}
	for _, c := range e.Changes {
		if verb := changeVerb(e, c); !slices.Contains(items[verb], c.Item) {
			items[verb] = append(items[verb], c.Item)
		}
	}
	var said []string
	if list := items["Adds"]; len(list) > 0 {
		said = append(said, "adds "+counted(list))
	}
	if list := items["Edits"]; len(list) > 0 {
		said = append(said, "rewrites "+named(list))
	}
	switch n := len(e.Results); {
	case n == 1:
		said = append(said, "records a result")
	case n > 1:
		said = append(said, fmt.Sprintf("records %d results", n))
	}
	if list := items["Kills"]; len(list) > 0 {
		said = append(said, "gives up "+named(list))
	}
	if len(said) == 0 {
		return "proposes"
	}
	return strings.Join(said, ", ")
}

// counted counts items by what they are: "6 explanations, 2 tests".
func counted(list []artifact.ItemID) string {
	var words []string
	n := map[string]int{}
	for _, id := range list {
		_, section, _, _ := artifact.ParseItemID(string(id))
		word := wordFor(section)
		if n[word]++; n[word] == 1 {
			words = append(words, word)
		}
	}
	for i, word := range words {
		if strings.Contains(word, " ") { // "the question", "what does not fit"
			continue
		}
		words[i] = protocol.Plural(n[word], word)
	}
	return strings.Join(words, ", ")
}

// maxNamed is how many items a verb names; more are counted.
const maxNamed = 3

func named(list []artifact.ItemID) string {
	if len(list) > maxNamed {
		return protocol.Plural(len(list), "item")
	}
	words := make([]string, len(list))
	for i, id := range list {
		words[i] = string(id)
	}
	return strings.Join(words, ", ")
}

// beliefView is what somebody says they believe, as a bar with the reason.
type beliefView struct {
	By        figure.Agent
	Bar       shareBar
	Withdrawn bool
	Rationale template.HTML
	Tables    []artifact.ItemID
}

// tell adds to a message what the study of its thread knows of it: its results as cards, what its sender believes, and what it moved.
func (rd *reader) tell(e *mailEntry, s *study.Study, m cardMaker) {
	for _, row := range s.OfMessage(e.ID) {
		e.Results = append(e.Results, m.of(row))
		e.Cards = slices.DeleteFunc(e.Cards, func(c changeCard) bool { return c.toldBy(row.Test) })
		if row.Standing == science.Attempt && len(e.Cards) == 0 {
			e.Verb = "could not run " + string(row.Test)
		}
	}
	for _, said := range s.Said(e.ID) {
		v := beliefView{By: said.By, Withdrawn: said.Withdrawn, Rationale: rd.text(short(400, said.Rationale)), Tables: said.Tables}
		if said.Shares != nil {
			v.Bar = barOfShares(said.Shares)
		}
		e.Beliefs = append(e.Beliefs, v)
	}
	if len(e.Beliefs) == 0 || len(e.Results) > 0 { // a statement is its own bar
		e.Moved = movedOf(s, e.ID)
	}
}

// movedView is the pool before and after a message that moved it.
type movedView struct{ Before, After shareBar }

func movedOf(s *study.Study, id int64) *movedView {
	before, after := s.Around(id)
	if before == nil {
		return nil
	}
	return &movedView{barOfShares(before), barOfShares(after)}
}

// barOfShares draws the shares of a moment; an explanation has the same shade in all of them.
func barOfShares(shares []figure.Share) shareBar {
	list := make([]share, len(shares))
	for i, s := range shares {
		list[i] = shareOf(s.Label, "", s.Value)
	}
	return barOf(inEntry, list)
}
