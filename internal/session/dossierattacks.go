package session

import (
	"fmt"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/fold"
	"brenner/internal/mail/transfer"
	"brenner/internal/markup"
	"brenner/internal/science"
)

// ToldAttack is an attack with its words and how it was answered.
type ToldAttack struct {
	science.Attack
	Title  string
	Text   string
	Answer string // or how it was withdrawn; empty while it is open
}

// Attacks tells every attack of the dossier, oldest first. One message may attack several hypotheses.
func (r *Dossier) Attacks() []ToldAttack {
	var list []ToldAttack
	for _, a := range r.View.Attacks() {
		told := ToldAttack{Attack: a}
		i := slices.IndexFunc(r.View.Critiques, func(c fold.Critique) bool { return c.MessageID == a.MessageID })
		if i >= 0 {
			c := &r.View.Critiques[i]
			told.Title, told.Text = c.Title, r.section(c.MessageID, "Attack")
			told.Answer = answerText(c.Answers)
		}
		r.tellItem(&told)
		list = append(list, told)
	}
	return list
}

// tellItem adds what the C item of an attack says.
func (r *Dossier) tellItem(told *ToldAttack) {
	it := r.View.Fold.Artifact().Item(told.Item)
	if told.Item == "" || it == nil {
		return
	}
	if told.Title == "" {
		told.Title, told.Text = it.Title(), it.Text(artifact.Attack)
	}
	switch {
	case told.Open || told.Answer != "":
	case it.Killed != nil:
		told.Answer = fmt.Sprintf("%s was killed by %s: %s", it.ID, it.Killed.By, it.Killed.Reason)
	default:
		told.Answer = fmt.Sprintf("%s: %s", it.ID, it.Text(artifact.CurrentStatus))
	}
}

func answerText(answers []fold.Answer) string {
	var parts []string
	for _, a := range answers {
		verb := "rebutted"
		if a.Kind == fold.AnsweredByDelta {
			verb = "answered with a change"
		}
		parts = append(parts, fmt.Sprintf("%s by %s in #%d", verb, a.From, a.MessageID))
	}
	text := strings.Join(parts, "; ")
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// section returns the text of a section of a message.
func (r *Dossier) section(id int64, name string) string {
	i := slices.IndexFunc(r.Lines, func(l transfer.Line) bool { return l.ID == id })
	if i < 0 {
		return ""
	}
	return fold.SectionText(markup.Parse(r.Lines[i].Body), name)
}

// Members lists who took part: the roster, then all others.
func (r *Dossier) Members() []fold.Member { return r.View.Members() }
