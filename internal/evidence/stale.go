package evidence

import (
	"brenner/internal/artifact"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// ItemStale is a citation of a source that is not current: EV-S01.
type ItemStale struct {
	Item   artifact.ItemID
	Path   string // of the first text that cites it
	Source Mark
	Grave  bool // it was retracted, and the item does not say so
}

// Mark is what the index says of where a source stands.
type Mark struct {
	ID     string
	Status Status
	By     string
	Note   string
}

// Mark returns where a source stands.
func (s *Source) Mark() Mark { return Mark{s.ID, s.Standing(), s.StatusBy, s.StatusNote} }

// Stale returns the source that a citation names if it is not current; nil: it is, or is not there.
func (l *Library) Stale(c artifact.Citation) *Source {
	if l == nil || l.Pack == nil || c.Evidence == "" {
		return nil
	}
	if s := l.Pack.Source(c.Evidence); s != nil && s.Standing() != Current {
		return s
	}
	return nil
}

// Finding is EV-S01 as a warning. subject says who cites the source.
func (m Mark) Finding(subject string) protocol.Finding {
	what := map[Status]string{Corrected: "was corrected", Retracted: "was retracted", Superseded: "is superseded"}[m.Status]
	if m.By != "" {
		what += " by " + m.By
	}
	f := protocol.NewFinding(protocol.EVS01, "%s cites %s, which %s%s.", subject, m.ID, what, inBrackets(m.Note))
	if m.By != "" {
		f = f.WithFix("Cite %s instead, or say in the item that %s %s.", m.By, m.ID, what)
	}
	return f
}

// String says where a source stands that is not current; empty: it is.
func (m Mark) String() string {
	if m.Status == Current {
		return ""
	}
	text := string(m.Status)
	if m.By != "" {
		text += " by " + m.By
	}
	return text + inBrackets(m.Note)
}

func inBrackets(note string) string {
	if note == "" {
		return ""
	}
	return " (" + protocol.Shorten(note, 200) + ")"
}

var saysRetracted = pattern.Lazy(`(?i)\bretracted\b`)

// stale finds the sources that an active item cites and that are not current, each once (SCIENCE 1, where a source stands).
func (l *Library) stale(it *artifact.Item) []ItemStale {
	if l == nil || l.Pack == nil {
		return nil
	}
	var list []ItemStale
	seen := map[string]bool{}
	said := false
	it.EachText(func(path, text string) {
		said = said || saysRetracted().MatchString(text)
		for _, c := range artifact.Citations(text) {
			if s := l.Stale(c); s != nil && !seen[s.ID] {
				seen[s.ID] = true
				list = append(list, ItemStale{it.ID, path, s.Mark(), s.Standing() == Retracted})
			}
		}
	})
	for i := range list {
		list[i].Grave = list[i].Grave && !said
	}
	return list
}

// staleReason finds them in the reason of a KILL, which cannot be mended.
func (l *Library) staleReason(it *artifact.Item) []ItemStale {
	var list []ItemStale
	seen := map[string]bool{}
	for _, c := range artifact.Citations(it.Killed.Reason) {
		if s := l.Stale(c); s != nil && !seen[s.ID] {
			seen[s.ID] = true
			list = append(list, ItemStale{Item: it.ID, Path: KillReason, Source: s.Mark()})
		}
	}
	return list
}

// finding is EV-S01 of an item.
func (s *ItemStale) finding(name string) protocol.Finding {
	if s.Path == KillReason {
		return s.Source.Finding("The reason of the KILL of " + name)
	}
	f := s.Source.Finding(name)
	if s.Grave {
		f = f.As(protocol.SeverityError)
	}
	return f
}
