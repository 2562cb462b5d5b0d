package web

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
)

// itemView is an item with its fields.
type itemView struct {
	ID      string
	Name    string
	Rank    int
	Change  string // new or edited in this version; empty: neither
	Kill    *killView
	Marks   []string // what it is: third alternative, scale check
	Status  string   // of a test; other sections are read by it
	Support mark     // what it rests on; empty: it is killed
	Review  mark     // how far others have checked it
	Result  *resultForm
	Found   []resultCard // every result of a test, the newest first
	More    int          // earlier results that are left out
	Score   *scoreView
	Dispute []string // fields that two agents set at the same instant
	Fields  []fieldView
	Written []*noteRef // where it came from
	Alone   bool       // one agent wrote all of it
	Clashes []clashView
}

type killView struct {
	By     figure.Agent
	Reason textView
	At     time.Time
	Note   *noteRef
}

// fieldView is a field of an item. One of its contents is set.
type fieldView struct {
	Anchor   string // H2.claim
	Label    string
	Text     *textView
	Anchors  []anchorView
	List     []textView
	Outcomes *outcomesView
	Refs     []refView
	Code     string
	Note     *noteRef
}

// textView is a text in pieces, some of which lead to items.
type textView struct {
	Pieces []textPiece
	Whole  string // address of the whole text, where it is cut
	Size   int    // of the whole, in bytes
}

type textPiece struct{ Text, Href, Ref string }

type anchorView struct {
	Text textView
	Form string
}

// outcomesView is a table of what a test expects, and found.
type outcomesView struct {
	Rows   []outcomeView
	Actual bool // something was found
}

// outcomeView is what is expected and found for one hypothesis.
type outcomeView struct {
	Anchor     string
	Key        textView
	Killed     bool
	Expected   *textView
	Actual     *textView
	Note       *noteRef
	ActualNote *noteRef
}

type refView struct{ Relation, Name, Href string }

// shownElsewhere are the fields that the head of an item shows.
var shownElsewhere = map[string]bool{
	artifact.Name: true, artifact.ThirdAlternative: true, artifact.ScaleCheck: true, artifact.RealThirdAlternative: true,
	artifact.ScoreField: true, artifact.Condition: true, artifact.Predictions: true, artifact.ActualOutcomes: true,
}

func (b *binder) item(it *artifact.Item) itemView {
	v := itemView{
		ID: string(it.ID), Name: it.Title(), Change: b.changed[it.ID], Dispute: it.Conflicts, Written: b.written(it),
		Clashes: b.clashes[it.ID],
	}
	v.Alone = !slices.ContainsFunc(v.Written, func(n *noteRef) bool { return n.By != v.Written[0].By })
	if len(v.Name) > longField && b.reading.item != it.ID {
		v.Name = short(400, v.Name)
	}
	if k := it.Killed; k != nil {
		v.Kill = &killView{By: b.cast.Of(k.By), Reason: b.text(it.ID, k.Reason), At: k.At, Note: b.note(k.Source)}
	}
	switch it.Section {
	case artifact.HypothesisSlate:
		if it.IsThirdAlternative() {
			v.Marks = append(v.Marks, "third alternative")
		}
	case artifact.AssumptionLedger:
		if it.IsScaleCheck() {
			v.Marks = append(v.Marks, "scale check")
		}
	case artifact.AdversarialCritique:
		if it.Flag(artifact.RealThirdAlternative) {
			v.Marks = append(v.Marks, "real third alternative")
		}
	case artifact.DiscriminativeTests:
		v.Score = b.score(it)
		v.Status = short(40, it.Text(artifact.Status))
	}
	if support, ok := b.Lint.Evidence.Item(it.ID); ok {
		v.Support = mark{State: string(support.Support), Glyph: glyphs[string(support.Support)]}
	}
	if it.Killed == nil {
		v.Review = b.reviews[it.ID]
	}
	if b.results != nil && it.Section == artifact.DiscriminativeTests && it.Killed == nil {
		v.Result = b.results.of(it)
	}
	v.Found, v.More = cutRows(b.given[it.ID], maxResults)
	v.Fields = b.fields(it)
	return v
}

func (b *binder) fields(it *artifact.Item) []fieldView {
	var views []fieldView
	for _, spec := range it.Section.Fields() {
		value := it.Get(spec.Name)
		if value == nil && spec.Name == artifact.ExpectedOutcomes { // what was found may be alone
			value = it.Get(artifact.ActualOutcomes)
		}
		if value == nil || shownElsewhere[spec.Name] || spec.Name == artifact.LastRun && len(b.given[it.ID]) > 0 {
			continue
		}
		f := fieldView{Anchor: string(it.ID) + "." + spec.Name, Label: spec.Label, Note: b.apart(it, spec.Name)}
		switch v := value.(type) {
		case artifact.Text:
			if v == "" {
				continue
			}
			text := b.text(it.ID, string(v))
			f.Text = &text
		case artifact.List:
			if len(v) == 0 {
				continue
			}
			b.list(&f, it, spec.Name, v)
		case artifact.Map:
			f.Outcomes = &outcomesView{b.outcomes(it), len(it.Map(artifact.ActualOutcomes)) > 0}
		case artifact.References:
			f.Refs = references(v)
		case artifact.JSON:
			text := b.text(it.ID, jsonWords(spec.Name, v))
			f.Text = &text
		default:
			continue
		}
		views = append(views, f)
	}
	return append(views, b.extra(it)...)
}

// jsonWords writes a field that holds an object for a reader.
func jsonWords(field string, v artifact.JSON) string {
	if field == artifact.Quantity {
		if q, err := quantity.Read([]byte(v)); err == nil {
			return q.Words()
		}
	}
	return artifact.ValueText(v)
}

func (b *binder) list(f *fieldView, it *artifact.Item, field string, list artifact.List) {
	for _, text := range list {
		if field == artifact.Anchors {
			f.Anchors = append(f.Anchors, anchorView{b.text(it.ID, text), formName(artifact.ParseAnchor(text))})
			continue
		}
		f.List = append(f.List, b.text(it.ID, text))
	}
}

func (b *binder) extra(it *artifact.Item) []fieldView {
	var views []fieldView
	for _, x := range it.Extra() {
		f := fieldView{Anchor: anchorOf(it.ID, x.Name), Label: short(80, it.Section.Label(x.Name)), Note: b.apart(it, x.Name)}
		switch v := it.Get(x.Name).(type) {
		case artifact.List:
			b.list(&f, it, x.Name, v)
		case artifact.Text, artifact.JSON:
			text := b.text(it.ID, artifact.ValueText(v))
			f.Text = &text
		default: // no table names it, or it has another form than the table's
			f.Code = protocol.ShortenBytes(string(x.Value), longField)
		}
		views = append(views, f)
	}
	return views
}

// outcomes lays what is expected beside what was found.
func (b *binder) outcomes(it *artifact.Item) []outcomeView {
	expected, actual := it.Map(artifact.ExpectedOutcomes), it.Map(artifact.ActualOutcomes)
	var views []outcomeView
	row := func(key string) outcomeView {
		return outcomeView{
			Anchor: anchorOf(it.ID, artifact.ExpectedOutcomes, key), Key: b.text(it.ID, key), Killed: b.killed(key),
			Note: b.apart(it, artifact.ExpectedOutcomes+"."+key),
		}
	}
	for _, p := range expected {
		v := row(p.Key)
		text := b.text(it.ID, p.Text)
		v.Expected = &text
		if found, ok := actual.Get(p.Key); ok {
			text := b.text(it.ID, found)
			v.Actual, v.ActualNote = &text, b.apart(it, artifact.ActualOutcomes+"."+p.Key)
		}
		views = append(views, v)
	}
	for _, p := range actual {
		if _, ok := expected.Get(p.Key); !ok {
			v := row(p.Key)
			text := b.text(it.ID, p.Text)
			v.Actual, v.ActualNote = &text, b.apart(it, artifact.ActualOutcomes+"."+p.Key)
			views = append(views, v)
		}
	}
	return views
}

// killed tells whether a key names a hypothesis that was given up.
func (b *binder) killed(key string) bool {
	id, s, _, ok := artifact.ParseItemID(key)
	if !ok || s != artifact.HypothesisSlate {
		return false
	}
	it := b.art.Item(id)
	return it != nil && it.Killed != nil
}

func references(list artifact.References) []refView {
	views := make([]refView, len(list))
	for i, r := range list {
		views[i] = refView{strings.ReplaceAll(r.Relation, "_", " "), r.Session + " " + r.Item, latestItemURL(r.Session, r.Item)}
	}
	return views
}

// text shows a text, cut where it is long and the reader did not ask for this item.
func (b *binder) text(id artifact.ItemID, text string) textView {
	v := textView{Size: len(text)}
	if len(text) > longField && b.reading.item != id && !b.reading.whole {
		v.Whole = "?item=" + string(id) + "#" + string(id)
		text = protocol.ShortenBytes(text, longField)
	}
	v.Pieces = b.pieces(text)
	return v
}

// pieces takes a text apart where it refers to something.
func (b *binder) pieces(text string) []textPiece {
	var list []textPiece
	at := 0
	for _, r := range referencesIn(text) {
		link, ok := b.refs.link(r)
		if !ok {
			continue
		}
		if r.Start > at {
			list = append(list, textPiece{Text: text[at:r.Start]})
		}
		list = append(list, textPiece{text[r.Start:r.End], link.Href, r.Name})
		at = r.End
	}
	if at < len(text) || len(list) == 0 {
		list = append(list, textPiece{Text: text[at:]})
	}
	return list
}

// anchorOf is the name of a place on the page; empty where an agent's words would not make one.
func anchorOf(id artifact.ItemID, path ...string) string {
	for _, part := range path {
		if part == "" || len(part) > 60 || strings.ContainsFunc(part, func(r rune) bool { return !inID(r) || r >= utf8.RuneSelf }) {
			return ""
		}
	}
	return string(id) + "." + strings.Join(path, ".")
}

func inID(r rune) bool {
	return 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_' || r >= utf8.RuneSelf
}

// latestItemURL leads to an item of another session, in whatever version is its latest.
func latestItemURL(thread, item string) string {
	return threadURL(thread) + "/v/latest?item=" + url.QueryEscape(item) + "#" + url.PathEscape(item)
}

func formName(a artifact.Anchor) string {
	switch a.Form {
	case artifact.AnchorSection:
		return "section"
	case artifact.AnchorEvidence:
		return "evidence"
	case artifact.AnchorInference:
		return "inference"
	case artifact.AnchorExternal:
		return "external"
	case artifact.AnchorAxiomatic:
		return "axiomatic"
	}
	return "unknown"
}
