package web

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/lint"
	"brenner/internal/protocol"
)

// maxViolations is how many of them a panel lists unless all are asked for.
const maxViolations = 60

// lintView is what lint says of the artifact, each finding with the place it is about.
type lintView struct {
	Errors, Warnings, Info int
	Violations             []violationView
	More                   int
	Checklist              []string
}

type violationView struct {
	Severity string
	Code     string
	Message  string
	Fix      string
	Place    string // as a reader says it: H2, Hypothesis Slate; empty where the message begins with it
	Href     string
}

func (b *binder) lint(r lint.Report) lintView {
	v := lintView{Errors: r.Errors, Warnings: r.Warnings, Info: r.Info, Checklist: r.Checklist}
	for i, found := range r.Violations {
		if i == maxViolations && !b.reading.allLint {
			v.More = len(r.Violations) - i
			break
		}
		one := b.violation(found)
		if strings.HasPrefix(one.Message, one.Place+" ") {
			one.Place = ""
		}
		v.Violations = append(v.Violations, one)
	}
	return v
}

func (b *binder) violation(found lint.Violation) violationView {
	v := violationView{
		Severity: string(found.Severity), Code: found.ID(), Message: protocol.ShortenBytes(found.Message, 400),
		Fix:   protocol.ShortenBytes(found.Fix, 400),
		Place: "front matter", Href: "#main",
	}
	if s, ok := artifact.ParseSection(found.Section); ok {
		v.Place, v.Href = s.Title(), "#"+found.Section
	}
	id, _, _, ok := artifact.ParseItemID(found.Item)
	if !ok {
		return v
	}
	if it := b.art.Item(id); it != nil {
		v.Place, v.Href = found.Item, b.href(id)
		if anchor := fieldAnchor(it, found.Path); anchor != "" {
			v.Href = strings.TrimSuffix(v.Href, found.Item) + anchor
		}
	}
	return v
}

// fieldAnchor is the place of a field on the page; empty if it has no place of its own.
func fieldAnchor(it *artifact.Item, path string) string {
	path, _, _ = strings.Cut(path, "[")
	field, key, _ := strings.Cut(path, ".")
	if it.Section.Field(field) < 0 {
		return ""
	}
	if field == artifact.Predictions && key != "" {
		return string(it.ID) + "." + key
	}
	if field == artifact.ScoreField {
		return string(it.ID) + "." + field
	}
	switch v := it.Get(field).(type) {
	case nil:
		return ""
	case artifact.Text:
		if v == "" {
			return ""
		}
	case artifact.List:
		if len(v) == 0 {
			return ""
		}
	}
	if shownElsewhere[field] {
		return ""
	}
	return string(it.ID) + "." + path
}
