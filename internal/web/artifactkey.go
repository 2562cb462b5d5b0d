package web

func (v itemView) key(k *partKey) {
	k.text(v.ID, v.Name, v.Change, v.Status)
	k.count(v.Rank)
	keyOf(k, v.Kill)
	k.texts(v.Marks)
	v.Support.key(k)
	v.Review.key(k)
	keyOf(k, v.Result)
	keyOf(k, v.Score)
	k.texts(v.Dispute)
	keys(k, v.Fields)
	k.notes(v.Written)
	k.flag(v.Alone)
	keys(k, v.Clashes)
}

// notes writes where values came from.
func (k *partKey) notes(list []*noteRef) {
	k.count(len(list))
	for _, n := range list {
		keyOf(k, n)
	}
}

func (m mark) key(k *partKey) { k.text(m.State, m.Glyph, string(m.Why)) }

func (n noteRef) key(k *partKey) {
	k.text(n.ID)
	k.count(n.Number)
	k.agent(n.By)
	k.number(n.MessageID)
}

func (v killView) key(k *partKey) {
	k.agent(v.By)
	v.Reason.key(k)
	k.time(v.At)
	keyOf(k, v.Note)
}

func (f fieldView) key(k *partKey) {
	k.text(f.Anchor, f.Label, f.Code)
	keyOf(k, f.Text)
	keys(k, f.Anchors)
	keys(k, f.List)
	keyOf(k, f.Outcomes)
	keys(k, f.Refs)
	keyOf(k, f.Note)
}

func (t textView) key(k *partKey) {
	k.count(len(t.Pieces), t.Size)
	for _, p := range t.Pieces {
		k.text(p.Text, p.Href, p.Ref)
	}
	k.text(t.Whole)
}

func (a anchorView) key(k *partKey) {
	a.Text.key(k)
	k.text(a.Form)
}

func (o outcomesView) key(k *partKey) {
	keys(k, o.Rows)
	k.flag(o.Actual)
}

func (o outcomeView) key(k *partKey) {
	k.text(o.Anchor)
	o.Key.key(k)
	k.flag(o.Killed)
	keyOf(k, o.Expected)
	keyOf(k, o.Actual)
	keyOf(k, o.Note)
	keyOf(k, o.ActualNote)
}

func (r refView) key(k *partKey) { k.text(r.Relation, r.Name, r.Href) }

func (f resultForm) key(k *partKey) {
	k.text(f.API, f.Actor, f.Test)
	k.texts(f.Labels)
}

func (s scoreView) key(k *partKey) {
	k.text(s.Anchor, s.Total)
	k.count(s.Most)
	keys(k, s.Parts)
	keyOf(k, s.Note)
}

func (p scorePart) key(k *partKey) {
	k.text(p.Name, p.Label, p.Dots, p.Number, p.Points, p.X, p.Width)
	k.flag(p.Missing)
}

func (v clashView) key(k *partKey) {
	k.text(v.Item, v.Field, v.Href)
	k.count(v.Version)
	k.flag(v.Open)
	keys(k, v.Claims)
}

func (c claimView) key(k *partKey) {
	k.agent(c.By)
	k.text(c.Text, c.Href)
	k.flag(c.Stands)
	k.number(c.MessageID)
}

// The lists of an artifact's page are a part each.
type (
	indexEntries   []indexEntry
	violationViews []violationView
	noteViews      []noteView
	numberLinks    []pageLink
)

func (list indexEntries) key(k *partKey) { keys(k, list) }

func (e indexEntry) key(k *partKey) {
	k.text(e.ID, e.Name, e.Href)
	k.flag(e.Killed)
}

func (list violationViews) key(k *partKey) { keys(k, list) }

func (v violationView) key(k *partKey) { k.text(v.Severity, v.Code, v.Message, v.Fix, v.Place, v.Href) }

func (list noteViews) key(k *partKey) { keys(k, list) }

func (n noteView) key(k *partKey) {
	k.text(n.ID, n.Agent, n.Rationale, n.Href)
	k.agent(n.By)
	k.time(n.At)
	k.number(n.MessageID)
	k.count(n.Number, n.Block)
}

func (list numberLinks) key(k *partKey) { keys(k, list) }

func (p pageLink) key(k *partKey) {
	k.count(p.Number)
	k.text(p.Href)
	k.flag(p.Current)
}

func (m matrixView) key(k *partKey) {
	k.count(m.Hidden)
	keys(k, m.Columns)
	keys(k, m.Rows)
	keys(k, m.Pairs)
}

func (c columnView) key(k *partKey) {
	k.text(c.ID, c.Name, c.Href)
	k.flag(c.Killed, c.Odd, c.Third)
}

func (r matrixRow) key(k *partKey) {
	r.itemView.key(k)
	r.Condition.key(k)
	keys(k, r.Cells)
	k.flag(r.Dull)
}

func (c cellView) key(k *partKey) {
	k.text(c.Anchor, c.Group)
	keyOf(k, c.Text)
	k.flag(c.Killed, c.Odd)
	keyOf(k, c.Note)
}

func (p pairView) key(k *partKey) {
	k.text(p.First, p.Second, p.Href)
	k.count(p.Rows)
}

func (v changeView) key(k *partKey) {
	k.text(v.Thread, v.ID, v.Name, v.Section, v.Href, v.Lead, v.Was)
	k.texts(v.Kinds)
	keys(k, v.Edits)
	keyOf(k, v.Killed)
	keyOf(k, v.Credit)
}

func (e endView) key(k *partKey) {
	k.agent(e.By)
	k.text(string(e.Reason))
}

func (e editView) key(k *partKey) {
	k.text(e.Label)
	keys(k, e.Spans)
	keyOf(k, e.Credit)
}

func (s spanView) key(k *partKey) { k.text(s.Kind, s.Text) }

func (c creditView) key(k *partKey) {
	k.text(c.Agent, c.Rationale)
	k.agent(c.By)
	k.time(c.At)
	k.number(c.MessageID)
}

func (r regionView) key(k *partKey) {
	k.flag(r.Folded)
	k.count(r.Lines)
	keys(k, r.Rows)
}

func (r rowView) key(k *partKey) {
	k.text(r.Kind)
	k.count(r.Old.Number, r.New.Number)
	keys(k, r.Old.Spans)
	keys(k, r.New.Spans)
}
