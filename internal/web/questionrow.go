package web

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"brenner/internal/figure"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
	"brenner/internal/study"
)

// questionRow is one question of the list.
type questionRow struct {
	ThreadID string
	Question string
	About    []string // who, and what moved it last
	Report   string   // address of its report; empty: it has none
	Verdict  verdict
	Bar      shareBar // empty: there is no explanation yet
	Bits     string   // left to learn; empty: nothing is known
	Course   template.HTML
	Run      int
	Of       string // "of 12", and the test to do next
	Next     string
	Waits    []waitLine
	Closed   bool
	Left     string // what a closed question has left open
}

// verdict is what a question has come to, in words (SCIENCE 6).
type verdict struct {
	Word  string // empty: nobody has said
	Steps [3]bool
	Lead  string // who leads, with its share
	Also  string // what comes after
}

// waitLine is something that waits for a person.
type waitLine struct {
	Mark, Tone string
	Strong     string
	Rest       string
	Href       string // of what it is about
	Link       string // the words that lead there; empty: all of it does
}

func rowOf(q *session.Question, now time.Time) questionRow {
	row := questionRow{ThreadID: q.ThreadID, Question: short(220, firstNonBlank(q.Text, q.ThreadID)),
		Closed: q.Group == session.QuestionsClosed}
	row.About = aboutOf(q, now)
	if row.Closed && q.Version > 0 && !q.Archived {
		row.Report = versionURL(q.ThreadID, q.Version) + "/download/html"
	}
	if row.Closed && q.Attacks > 0 {
		row.Left = protocol.Plural(q.Attacks, "attack") + " left open"
	}
	row.Waits = waitLines(q, now)
	g := &q.Belief
	if q.Archived {
		return row
	}
	row.Verdict = verdictOf(g)
	if len(g.Worlds) > 1 {
		row.Bar = barOf(inRow, sharesOf(g.Worlds))
		row.Bits = fmt.Sprintf("%.2f", g.Bits)
		row.Course = courseOf(g)
	}
	if g.Tests > 0 {
		row.Run, row.Of, row.Next = g.Run, fmt.Sprintf("of %d", g.Tests), nextOf(q)
	}
	return row
}

func firstNonBlank(texts ...string) string {
	for _, t := range texts {
		if !protocol.Blank(t) {
			return t
		}
	}
	return ""
}

func sharesOf(worlds []science.GlanceWorld) []share {
	var list []share
	for _, w := range worlds {
		list = append(list, shareOf(w.World.ID(), w.Name, w.P))
	}
	return list
}

func nextOf(q *session.Question) string {
	switch {
	case q.Group == session.QuestionsClosed && q.Belief.Run < q.Belief.Tests:
		return fmt.Sprintf("%d not run", q.Belief.Tests-q.Belief.Run)
	case q.Next != "":
		return "next: " + string(q.Next)
	case q.Blocked:
		return "none can tell more"
	}
	return "none left"
}

// courseOf is the curve of the bits that are left. It is decoration: the number is beside it.
func courseOf(g *science.Glance) template.HTML {
	top := g.Bits
	points := make([]figure.Point, len(g.Course))
	for i, b := range g.Course {
		points[i], top = figure.Point{At: i + 1, Value: b}, max(top, b)
	}
	return picture(figure.Spark(points, len(points), nil, max(top, 1e-6), 0))
}

// verdictOf fills the sentence about current belief.
func verdictOf(g *science.Glance) verdict {
	if len(g.Worlds) < 2 {
		return verdict{Lead: "No explanation yet"}
	}
	if g.Verdict == science.Unsaid {
		return verdict{Lead: "Nobody has said what they believe: all alike"}
	}
	values := make([]float64, len(g.Worlds))
	for i, w := range g.Worlds {
		values[i] = w.P
	}
	percents := study.Percents(values)
	last := len(g.Worlds) - 1
	v := verdict{Word: strings.ToUpper(string(g.Verdict[:1])) + string(g.Verdict[1:])}
	v.Steps = map[science.Verdict][3]bool{science.Undecided: {true}, science.Leaning: {true, true},
		science.Settled: {true, true, true}}[g.Verdict]
	lead := short(36, g.Worlds[0].Name) + " " + percents[0] + " %"
	switch {
	case g.AllFailed:
		v.Lead, v.Also = "every explanation has failed a test", "first "+lead
	case g.Worlds[last].P > g.Worlds[0].P:
		v.Lead, v.Also = "none of these leads with "+percents[last]+" %", "next "+lead
	default:
		v.Lead = lead
		v.Also = afterLead(g, percents)
	}
	return v
}

// afterLead says what the leader was before, if the last move was its own, or else what comes next.
func afterLead(g *science.Glance, percents []string) string {
	last := len(g.Worlds) - 1
	if m := g.Moved; g.Verdict != science.Undecided && m != nil && m.Leader >= 0 && g.Worlds[0].P-m.Leader >= 0.05 {
		return "was " + figure.Percent(m.Leader)
	}
	var also []string
	if last > 1 {
		also = append(also, "next "+percents[1]+" %")
	}
	if last == 1 || g.Worlds[last].P > g.Worlds[1].P {
		also = append(also, "none "+percents[last]+" %")
	}
	return strings.Join(also, ", ")
}

// aboutOf is the line below a question: who works on it, and what moved it last.
func aboutOf(q *session.Question, now time.Time) []string {
	var parts []string
	if q.Archived {
		return []string{"archived at version " + fmt.Sprint(q.Version)}
	}
	if q.Group == session.QuestionsClosed {
		parts = append(parts, "closed "+ago(q.Updated, now))
		if q.Version > 0 {
			parts[0] += fmt.Sprintf(" at version %d", q.Version)
		}
		return parts
	}
	if who := crewWords(q); who != "" {
		parts = append(parts, who)
	}
	switch m := q.Belief.Moved; {
	case m == nil:
		parts = append(parts, "asked "+ago(q.Asked, now))
	case m.Test != "" && m.Unforeseen:
		parts = append(parts, fmt.Sprintf("moved %s by %s, which nobody had foreseen", ago(m.At, now), m.Test))
	case m.Test != "":
		parts = append(parts, fmt.Sprintf("moved %s by %s", ago(m.At, now), m.Test))
	default:
		parts = append(parts, fmt.Sprintf("moved %s by #%d", ago(m.At, now), m.MessageID))
	}
	return parts
}

func crewWords(q *session.Question) string {
	agents := 0
	for _, m := range q.Members {
		if !protocol.SameAgent(m.Agent, mail.Operator) {
			agents++
		}
	}
	if agents == 0 {
		return ""
	}
	who := numberWord(agents) + " agents"
	if agents == 1 {
		who = "one agent"
	}
	if q.Families > 1 {
		who += ", " + numberWord(q.Families) + " makers"
	}
	return who
}

// waitLines say what waits in words that need no protocol.
func waitLines(q *session.Question, now time.Time) []waitLine {
	var lines []waitLine
	if q.Unjoined && len(q.Waits) == 0 {
		return []waitLine{{Mark: "clk", Tone: "late", Strong: "Agents have not joined", Href: threadURL(q.ThreadID), Link: "start them"}}
	}
	for _, t := range q.Waits {
		line := waitLine{Href: todoLink(q.ThreadID, t)}
		age := ""
		if !t.Since.IsZero() {
			age = ", " + ago(t.Since.Time, now)
		}
		switch t.Kind {
		case session.ToDoAnswer:
			line.Mark, line.Tone, line.Strong, line.Rest = "dia", "no", "Critical attack", " to answer"+age
		case session.ToDoReply:
			line.Mark, line.Tone, line.Strong, line.Rest = "q", "late", "", short(40, t.Agent)+" asks you"+age
		case session.ToDoCompile:
			line.Mark, line.Strong, line.Rest = "merge", protocol.Plural(q.Pending, "change"), " to take in"
		default:
			continue
		}
		if len(lines) < maxWaits {
			lines = append(lines, line)
		}
	}
	if more := len(q.Waits) - len(lines); more > 0 {
		lines = append(lines, waitLine{Mark: "ring", Rest: fmt.Sprintf("and %d more", more), Href: threadURL(q.ThreadID)})
	}
	return lines
}

// maxWaits is how much of what waits a row names.
const maxWaits = 3
