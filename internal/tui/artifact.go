package tui

import (
	"context"
	"errors"
	"fmt"

	"brenner/internal/artifact"
	"brenner/internal/commandline"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
	"brenner/internal/termtext"
)

// artifactScreen lists the items of the latest published version, section by section.
type artifactScreen struct{ id string }

func (s artifactScreen) title() string      { return s.id }
func (s artifactScreen) tab() string        { return "Artifact" }
func (s artifactScreen) siblings() []tabbed { return tabs(s.id) }
func (artifactScreen) header() row          { return row{} }

func (s artifactScreen) load(ctx context.Context, d data) ([]row, error) {
	of, err := d.Session(ctx, s.id)
	var doc artifact.Document
	reviewed := map[artifact.ItemID]science.ReviewState{}
	switch {
	case err == nil:
		doc, err = of.Document(ctx, 0)
		reviewed = reviews(of)
	case protocol.CodeOf(err) == protocol.NotFound: // a file may be all there is
		doc, err = d.Document(ctx, s.id, 0)
	}
	if errors.Is(err, &protocol.Error{Code: protocol.NotFound}) {
		return paragraphs(dim, 1, "No version is published yet. "+commandline.Of(protocol.OnThread("compile", s.id))+" publishes one.",
			d.width-1), nil
	}
	if err != nil {
		return nil, err
	}
	rows := []row{say(dim, fmt.Sprintf(" version %d, %s", doc.Metadata.Version, doc.Metadata.Status))}
	for _, section := range artifact.Sections() {
		items := doc.Artifact.Ordered(section)
		rows = append(rows, row{}, say(heading, " "+section.Title()))
		if len(items) == 0 {
			rows = append(rows, say(dim, "   nothing yet"))
		}
		for _, it := range items {
			rows = append(rows, s.item(it, reviewed[it.ID]))
		}
	}
	return rows, nil
}

// reviews says how far each hypothesis was checked by others (SCIENCE 7).
func reviews(of *session.Session) map[artifact.ItemID]science.ReviewState {
	states := map[artifact.ItemID]science.ReviewState{}
	for _, h := range of.Review().Hypotheses {
		states[h.ID] = h.State
	}
	return states
}

func (s artifactScreen) item(it *artifact.Item, reviewed science.ReviewState) row {
	look, state := plain, string(reviewed)
	switch {
	case it.Killed != nil:
		look, state = dim, "killed"
	case len(it.Conflicts) > 0:
		look, state = warn, "dispute"
	case reviewed == science.Contested:
		look = warn
	}
	name := it.Title()
	if name == "" { // the research thread has none
		name = it.Text("statement")
	}
	return row{
		key: string(it.ID), open: itemScreen{s.id, it.ID},
		cells: []cell{
			{width: 3}, {text: string(it.ID), ink: strong, width: 6}, {text: state, ink: look, width: 12},
			{text: termtext.Visible(name), ink: look},
		},
	}
}

// itemScreen shows the fields of an item, and who wrote each.
type itemScreen struct {
	thread string
	item   artifact.ItemID
}

func (s itemScreen) title() string { return string(s.item) + " of " + s.thread }
func (itemScreen) header() row     { return row{} }

func (s itemScreen) load(ctx context.Context, d data) ([]row, error) {
	of, err := d.Session(ctx, s.thread)
	if err != nil {
		return nil, err
	}
	lines, err := of.Blame(ctx, 0, string(s.item))
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, line := range lines {
		rows = append(rows, say(strong, " "+line.Field))
		rows = append(rows, paragraphs(plain, 3, valueText(line.Value.Value), d.width-3)...)
		if line.Agent == nil || line.MessageID == nil {
			continue
		}
		by := say(dim, fmt.Sprintf("   by %s in #%d", *line.Agent, *line.MessageID))
		by.open = messageScreen{*line.MessageID}
		rows = append(rows, by)
		if line.Rationale != nil && *line.Rationale != "" {
			rows = append(rows, paragraphs(dim, 3, "because "+*line.Rationale, d.width-3)...)
		}
	}
	return rows, nil
}

// valueText is a value for a person: text as it is, everything else as JSON.
func valueText(v artifact.Value) string {
	if t, ok := v.(artifact.Text); ok {
		return string(t)
	}
	return string(artifact.AppendValue(nil, v))
}
