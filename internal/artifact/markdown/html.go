package markdown

import (
	_ "embed"
	"html/template"
	"strconv"
	"strings"
	"sync"

	"brenner/internal/artifact"
)

//go:embed page.html
var pageSource string

var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageSource)) })

// HTML writes the document as a page of its own for a person to read, save and print: no
// script, nothing loaded from elsewhere, every value escaped.
func HTML(doc artifact.Document) string {
	var b strings.Builder
	if err := pageTemplate().Execute(&b, newPage(doc)); err != nil {
		panic(err) // the template and its data are ours, and a builder never fails
	}
	return b.String()
}

func newPage(doc artifact.Document) page {
	m := doc.Metadata
	v := newViewer(doc.Artifact)
	p := page{
		Session: m.SessionID, Version: m.Version, Status: m.Status, Program: m.ResearchProgram, Hash: m.ArtifactHash,
		CompiledBy: m.CompiledBy, Compiled: showTime(m.CompiledAt), Updated: showTime(m.UpdatedAt),
	}
	for _, c := range m.ContributorDetails {
		p.Contributors = append(p.Contributors, personView{c.Agent, wordOf(c.Role)})
	}
	if len(p.Contributors) == 0 {
		for _, name := range m.Contributors {
			p.Contributors = append(p.Contributors, personView{Name: name})
		}
	}
	for _, s := range artifact.Sections() {
		p.Sections = append(p.Sections, v.section(s))
	}
	return p
}

// viewer turns parts of an artifact into what the template shows.
type viewer struct {
	artifact *artifact.Artifact
	dead     hypotheses
	keys     []string                  // columns of the matrix
	items    map[string]*artifact.Item // by id
}

func newViewer(a *artifact.Artifact) viewer {
	v := viewer{a, killedHypotheses(a), columns(a), map[string]*artifact.Item{}}
	for _, s := range artifact.Sections() {
		for _, it := range a.Items(s) {
			v.items[string(it.ID)] = it
		}
	}
	return v
}

func (v viewer) section(s artifact.Section) sectionView {
	view := sectionView{
		Number: int(s) + 1, ID: s.String(), Title: s.Title(), Active: len(v.artifact.Active(s)),
		Empty: strings.Trim(strings.ReplaceAll(emptySections[s], "**", ""), "*"),
	}
	var shown []string
	if s == artifact.PredictionsTable && len(v.artifact.Items(s)) > 0 {
		view.Matrix = v.matrix()
		shown = []string{artifact.Condition}
	}
	for _, it := range v.artifact.Ordered(s) {
		item := v.item(it, shown...)
		if item.Thread && len(item.Fields) == 0 && item.Extra == "" || view.Matrix != nil && !item.hasMore() {
			continue
		}
		view.Items = append(view.Items, item)
	}
	return view
}

// hasMore tells whether a prediction has something that its row does not show.
func (i itemView) hasMore() bool {
	return i.Kill != nil || len(i.Fields) > 0 || i.Extra != "" || len(i.Chips) > 0
}

func (v viewer) item(it *artifact.Item, shown ...string) itemView {
	view := itemView{ID: string(it.ID), Anchor: string(it.ID), Name: phrase(it.Title()), Thread: it.ID == artifact.RT}
	if it.Section == artifact.PredictionsTable {
		view.Anchor += "-more" // its row has the id
	}
	if k := it.Killed; k != nil {
		view.Kill = &killView{k.By, showTime(k.At), prose(k.Reason)}
	}
	view.Chips = chips(it)
	if it.Section == artifact.DiscriminativeTests {
		view.Score = showScore(it.Score())
	}
	for _, f := range it.Section.Fields() {
		if it.Get(f.Name) != nil && !onTop(it, f.Name) && !isOneOf(f.Name, shown...) {
			if field := v.field(it, f); field != nil {
				view.Fields = append(view.Fields, *field)
			}
		}
	}
	if extra := appendExtra(nil, it.Extra()); len(extra) > 0 {
		_, code, _ := strings.Cut(string(extra), "```json\n")
		view.Extra = strings.TrimSuffix(code, "\n```\n")
	}
	return view
}

// onTop tells whether a field is shown in the head of its item.
func onTop(it *artifact.Item, field string) bool {
	return isOneOf(field, artifact.Name, artifact.Status, artifact.ScoreField, artifact.ThirdAlternative,
		artifact.RealThirdAlternative, artifact.ScaleCheck) && it.Section != artifact.ResearchThread
}

func chips(it *artifact.Item) []chip {
	var c []chip
	if !it.Active() {
		c = append(c, chip{"killed", "bad"})
	}
	if it.Flag(artifact.ThirdAlternative) {
		c = append(c, chip{"third alternative", "idea"})
	}
	if it.Flag(artifact.RealThirdAlternative) {
		c = append(c, chip{"real third alternative", "idea"})
	}
	if it.Flag(artifact.ScaleCheck) {
		c = append(c, chip{"scale check", "idea"})
	}
	if status := it.Text(artifact.Status); status != "" {
		c = append(c, chip{status, statusKind(status)})
	}
	for _, field := range it.Conflicts {
		c = append(c, chip{field + " in dispute", "bad"})
	}
	return c
}

func showScore(s artifact.Score) *scoreView {
	total, scored := s.Total()
	if !scored {
		return &scoreView{Total: unscored}
	}
	view := &scoreView{Total: artifact.FormatTotal(total)}
	for _, name := range artifact.ScoreParts {
		number, ok := s.Get(name)
		if !ok {
			number = "0"
		}
		counted, _ := artifact.NewScore(artifact.Part{Name: name, Number: number}).Total()
		view.Parts = append(view.Parts, scorePartView{wordOf(name), number, int(counted * 100 / 3)})
	}
	return view
}

func (v viewer) field(it *artifact.Item, f artifact.FieldSpec) *fieldView {
	view := &fieldView{Label: f.Label}
	switch value := it.Get(f.Name).(type) {
	case artifact.Text:
		view.Prose, view.Empty = prose(string(value)), value == ""
		view.Lead = it.Section == artifact.ResearchThread && f.Name == artifact.Statement
	case artifact.Flag:
		view.Prose = template.HTML(map[bool]string{true: "yes", false: "no"}[bool(value)])
	case artifact.List:
		for _, text := range value {
			view.Tags = append(view.Tags, v.tag(text))
		}
		view.Empty = len(value) == 0
	case artifact.Map:
		view.Outcomes = v.outcomes(it, value)
		view.Empty = len(value) == 0
		if it.Section == artifact.PredictionsTable && len(view.Outcomes) == 0 {
			return nil
		}
	case artifact.References:
		for _, r := range value {
			view.Tags = append(view.Tags, tag{Text: wordOf(r.Relation) + " " + r.Session + "#" + r.Item})
		}
		view.Empty = len(value) == 0
	case artifact.JSON:
		view.Code = pretty(string(value))
	}
	return view
}

// outcomes shows a map; of a prediction only what the matrix has no column for.
func (v viewer) outcomes(it *artifact.Item, m artifact.Map) []outcomeView {
	var shown []string
	if it.Section == artifact.PredictionsTable {
		shown = v.keys
	}
	var views []outcomeView
	for _, pair := range m {
		if !isOneOf(pair.Key, shown...) {
			views = append(views, outcomeView{v.tag(pair.Key), prose(pair.Text), v.dead[pair.Key]})
		}
	}
	return views
}

// tag shows a word, as a link if it is an item of this page.
func (v viewer) tag(text string) tag {
	if v.items[text] != nil {
		return tag{text, text}
	}
	return tag{Text: text}
}

// Anchor is the place of an item on the page.
func (t tag) Anchor() string { return "#" + t.Item }

// Heading is the number and title of a section.
func (s sectionView) Heading() string { return strconv.Itoa(s.Number) + ". " + s.Title }
