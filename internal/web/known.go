package web

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
	"brenner/internal/study"
)

// knownView is the head of a session: what is known, what it hangs on, and what would settle it.
type knownView struct {
	Word   string // of the verdict; empty: nobody has said
	Steps  []step
	Why    string // what the word takes
	Lead   template.HTML
	Bar    shareBar
	Shares []shareLine
	Hangs  template.HTML
	Moved  template.HTML
	Settle template.HTML
	Facts  []string // who, how many tests have a result, what moved it last
	Crew   []figure.Agent
	Closed int // the version at which the session was completed
}

// step is one of the words that a verdict can be.
type step struct {
	Word string
	On   bool
}

// shareLine names a share below its bar.
type shareLine struct {
	ID, Name, Percent string
	Href              string
}

// verdictTakes says what each verdict takes (SCIENCE 6).
var verdictTakes = map[science.Verdict]string{
	science.Undecided: "The first has less than twice the belief of the next. Leaning takes twice, settled 90 %.",
	science.Leaning:   "The first has at least twice the belief of any other. Settled takes 90 % for one explanation.",
	science.Settled:   "One explanation has at least 90 %, and not every explanation has failed a test.",
	science.Unsaid:    "Undecided, leaning or settled: that is said once somebody has stated a belief or a result is there.",
}

// knownOf fills the head of a session from what the rules give.
func (w *Web) knownOf(of *session.Session, detail session.Detail, s *study.Study, src study.Source) knownView {
	reasons := of.Reasons()
	k := study.NewKnown(s, src, &reasons)
	v := knownView{Bar: barOf(inHead, sharesOf(k.Worlds)), Why: verdictTakes[k.Verdict]}
	if detail.Phase == fold.PhaseComplete && detail.Latest != nil {
		v.Closed = detail.Latest.Version
	}
	if k.Verdict != science.Unsaid && len(k.Worlds) > 1 {
		v.Word = strings.ToUpper(string(k.Verdict[:1])) + string(k.Verdict[1:])
	}
	for _, word := range []science.Verdict{science.Undecided, science.Leaning, science.Settled} {
		v.Steps = append(v.Steps, step{string(word), word == k.Verdict})
	}
	if k.AllFailed && k.Verdict != science.Settled {
		v.Why = "Every explanation has failed a test that it had committed to."
	}
	v.shares(&k, src.Links)
	v.Lead = leadOf(&k, s.Voices)
	if len(k.Worlds) > 1 && k.Run > 0 {
		v.Hangs = hangsOf(&k)
	}
	if k.Verdict != science.Unsaid {
		v.Moved = movedLast(&k)
	}
	if v.Closed == 0 {
		v.Settle = settleOf(&k)
	}
	v.facts(of, detail, &k, w.options.Now())
	return v
}

func (v *knownView) shares(k *study.Known, links study.Links) {
	v.Shares = shareLines(k.Worlds)
	for i, w := range k.Worlds {
		if w.World != science.None {
			v.Shares[i].Href = links.Item(artifact.NewItemID(artifact.HypothesisSlate, int(w.World)))
		}
	}
}

// shareLines name what is believed of each world, in whole percents that sum to 100.
func shareLines(worlds []science.GlanceWorld) []shareLine {
	values := make([]float64, len(worlds))
	for i, w := range worlds {
		values[i] = w.P
	}
	percents := study.Percents(values)
	lines := make([]shareLine, len(worlds))
	for i, w := range worlds {
		lines[i] = shareLine{ID: w.World.ID(), Name: w.Name, Percent: percents[i]}
		if w.World == science.None {
			lines[i].ID, lines[i].Name = noneMark, "none of these"
		}
	}
	return lines
}

// phrase builds a sentence: text is escaped, marks are not.
type phrase struct{ strings.Builder }

func (p *phrase) say(format string, args ...any) *phrase {
	template.HTMLEscape(p, fmt.Appendf(nil, format, args...))
	return p
}

// strong says something that stands out.
func (p *phrase) strong(text string) *phrase {
	p.WriteString("<b><bdi>")
	p.say("%s", text)
	p.WriteString("</bdi></b>")
	return p
}

func (p *phrase) put(mark template.HTML) *phrase {
	p.WriteString(string(mark))
	return p
}

func (p *phrase) html() template.HTML { return template.HTML(p.String()) } //nolint:gosec // every text in it is escaped

// leadOf is the sentence about current belief.
func leadOf(k *study.Known, voices []figure.Agent) template.HTML {
	p := new(phrase)
	last := len(k.Worlds) - 1
	if last < 1 {
		return p.say("No explanation has been proposed yet.").html()
	}
	if k.Verdict == science.Unsaid {
		return p.say("Nobody has said what they believe: all alike.").html()
	}
	values := make([]float64, len(k.Worlds))
	for i, w := range k.Worlds {
		values[i] = w.P
	}
	percents := study.Percents(values)
	first, none := k.Worlds[0], k.Worlds[last]
	switch {
	case k.AllFailed:
		p.say("Every explanation has failed a test. ").strong(short(90, first.Name)).say(" has %s %%", percents[0])
	case none.P > first.P:
		p.strong("None of these").say(" leads with %s %%, ahead of ", percents[last]).strong(short(90, first.Name)).say(" with %s %%.",
			percents[0])
		return p.html()
	default:
		p.strong(short(90, first.Name)).say(" leads with %s %%", percents[0])
	}
	if last > 1 {
		p.say(", ahead of ").strong(short(90, k.Worlds[1].Name)).say(" with %s %%", percents[1])
	}
	who := "The agents keep"
	if len(voices) == 0 {
		who = "Taken as equal before any result, there is"
	}
	return p.say(". %s %s %% for ", who, percents[last]).strong("none of these").say(".").html()
}

// hangsOf says what the answer hangs on.
func hangsOf(k *study.Known) template.HTML {
	p := new(phrase)
	p.strong("Hangs on")
	if len(k.Hangs) == 0 {
		return p.say(" nothing single: no result or source turns it.").html()
	}
	for i, h := range k.Hangs {
		if i > 0 {
			p.say(";")
		}
		if h.Test != "" {
			p.say(" %s ", without(i)).put(itemLink(string(h.Test), h.Href)).say("%s ", which(h.Also)).put(plainName(h.Name))
		} else {
			p.say(" with %s,", study.Supposition(h.Name))
		}
		p.say(" the leader is ").put(pill(h.Leader)).say(" with %s", figure.Percent(h.P))
	}
	return p.say(".").html()
}

func without(i int) string {
	if i == 0 {
		return "what was found: without"
	}
	return "without"
}

func plainName(name string) template.HTML {
	return template.HTML("<bdi>" + template.HTMLEscapeString(short(60, name)) + "</bdi>") //nolint:gosec // escaped
}

// movedLast says what moved belief last.
func movedLast(k *study.Known) template.HTML {
	m := k.Last
	if m == nil || m.World == "" {
		return ""
	}
	p := new(phrase)
	p.strong("Moved last").say(" on %s: ", m.At.UTC().Format("2 Jan"))
	switch {
	case m.Test != "" && m.Unforeseen:
		p.put(itemLink(string(m.Test), m.Href)).say(" gave what nobody had foreseen, and ")
	case m.Test != "":
		p.put(itemLink(string(m.Test), m.Href)).say(" took ")
	default:
		p.put(itemLink(fmt.Sprintf("#%d", m.MessageID), m.Href)).say(" took ")
	}
	p.put(pill(m.World))
	if m.Unforeseen {
		p.say(" went")
	}
	return p.say(" from %s to %s.", figure.Percent(m.From), figure.Percent(m.To)).html()
}

// settleOf says which open tests part the first two explanations.
func settleOf(k *study.Known) template.HTML {
	if len(k.Pair) < 2 {
		return ""
	}
	p := new(phrase)
	between := func() { p.put(pill(k.Pair[0].ID)).say(" from ").put(pill(k.Pair[1].ID)) }
	if len(k.Parts) == 0 {
		p.say("No open test parts ")
		between()
		return p.say(".").html()
	}
	for i, t := range k.Parts {
		if i > 0 {
			p.say(" ")
		}
		p.put(itemLink(string(t.Test), t.Href)).say(" ").strong(short(80, t.Name))
		if i == 0 {
			p.say(" parts ")
			between()
		} else {
			p.say(" does too")
		}
		if t.Blocked != nil {
			p.say(", but is blocked: %s", strings.TrimSuffix(short(120, *t.Blocked), "."))
		} else if i == 0 {
			p.say(": nobody has run it")
		}
		p.say(".")
	}
	return p.html()
}

// facts are the line below the question.
func (v *knownView) facts(of *session.Session, detail session.Detail, k *study.Known, now time.Time) {
	if asked := of.Asked(); !asked.IsZero() {
		v.Facts = append(v.Facts, "asked "+dayOf(asked, now))
	}
	q := session.Question{Members: detail.Members, Families: of.Families()}
	if who := crewWords(&q); who != "" {
		v.Facts = append(v.Facts, who)
	}
	for _, m := range castOf(detail.Members).Members() {
		if m.Hue > 0 && len(v.Crew) < maxCrew {
			v.Crew = append(v.Crew, m)
		}
	}
	if k.Tests > 0 {
		v.Facts = append(v.Facts, fmt.Sprintf("%d of %s %s a result", k.Run, protocol.Plural(k.Tests, "test"), have(k.Run)))
	}
}

// have is the verb after a number.
func have(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

// maxCrew is how many agents have their mark in the head.
const maxCrew = 8

// dayOf is a day as people write it, with the year where it is another one.
func dayOf(t, now time.Time) string {
	if t.UTC().Year() == now.UTC().Year() {
		return t.UTC().Format("2 Jan")
	}
	return t.UTC().Format("2 Jan 2006")
}

// pill is an explanation in its shade, by its number.
func pill(id string) template.HTML {
	if id == science.None.ID() || id == noneMark {
		return `<span class="sw none"><span aria-hidden="true">∅</span><span class="sr">none of these</span></span>`
	}
	return template.HTML(`<span class="sw ` + shadeOf(id) + `">` + template.HTMLEscapeString(id) + `</span>`) //nolint:gosec // escaped
}

// itemLink is a reference that leads to its place.
func itemLink(id, href string) template.HTML {
	b := new(strings.Builder)
	writeRef(b, refLink{Name: id, Href: href}, template.HTMLEscapeString(id))
	return template.HTML(b.String()) //nolint:gosec // escaped
}
