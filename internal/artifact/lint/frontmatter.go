package lint

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/markdown"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

var wholeNumber = pattern.Lazy(`^\d{1,18}$`)

// checkFrontMatter checks EM, WM and IM. A fold always has front matter; without any, nothing
// more is said of it than that.
func checkFrontMatter(l *linter) {
	var front markdown.FrontMatter
	if l.Outline != nil {
		front = l.Outline.FrontMatter
		if !front.Present || !front.Readable {
			l.add(frontMatterPart, 1, protocol.NewFinding(protocol.EM001, "There is no readable front matter."))
			return
		}
	}
	checkSession(l, front)
	checkTimes(l, front)
	if m := l.Document.Metadata; !slices.Contains(artifact.Statuses(), m.Status) {
		l.front(front, front.Status, "status", protocol.NewFinding(protocol.EM004, "status is %s, none of %s.",
			shown(front.Status.Text, m.Status), strings.Join(artifact.Statuses(), ", ")))
	}
	if len(l.Document.Metadata.Contributors) == 0 {
		l.front(front, front.Contributors, "contributors", protocol.NewFinding(protocol.WM001, "There are no contributors."))
	}
	if l.Outline != nil && !wholeNumber().MatchString(front.Version.Text) {
		l.front(front, front.Version, "version", protocol.NewFinding(protocol.IM002, "version is %s, not a whole number.",
			shown(front.Version.Text, "")))
	}
}

// front records a finding about a key of the front matter, where it is or should be.
func (l *linter) front(front markdown.FrontMatter, raw markdown.Raw, key string, f protocol.Finding) {
	line := front.Line
	if raw.Given() {
		line = raw.Line
	}
	l.add(frontMatterPart, line, f.In(key))
}

func shown(raw, typed string) string {
	if raw == "" {
		raw = typed
	}
	if raw == "" {
		return "missing"
	}
	return `"` + raw + `"`
}

func checkSession(l *linter, front markdown.FrontMatter) {
	id := l.Document.Metadata.SessionID
	if blankText(id) {
		l.front(front, front.SessionID, "session_id", protocol.NewFinding(protocol.EM002, "The front matter does not name the session."))
		return
	}
	for _, f := range protocol.CheckThreadID(id) {
		if f.Severity == protocol.SeverityError {
			l.front(front, front.SessionID, "session_id", protocol.NewFinding(protocol.IM001, "%s is not a valid thread id. %s", id,
				f.Message))
			return
		}
	}
}

func checkTimes(l *linter, front markdown.FrontMatter) {
	m := l.Document.Metadata
	if m.CreatedAt.IsZero() {
		l.front(front, front.CreatedAt, "created_at", protocol.NewFinding(protocol.EM003, "created_at is %s, not a timestamp.",
			shown(front.CreatedAt.Text, "")))
	}
	switch {
	case m.UpdatedAt.IsZero() && front.UpdatedAt.Given():
		l.front(front, front.UpdatedAt, "updated_at", protocol.NewFinding(protocol.WM002, "updated_at is %s, not a timestamp.",
			shown(front.UpdatedAt.Text, "")))
	case !m.UpdatedAt.IsZero() && m.UpdatedAt.Before(m.CreatedAt):
		l.front(front, front.UpdatedAt, "updated_at", protocol.NewFinding(protocol.WM002, "updated_at (%s) is before created_at (%s).",
			artifact.FormatTime(m.UpdatedAt), artifact.FormatTime(m.CreatedAt)))
	}
}
