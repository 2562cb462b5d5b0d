package tui

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"brenner/internal/termtext"
)

// frameLines are the lines around the body: bar, tabs or header, hints.
const frameLines = 3

func (m *model) bodyHeight() int { return max(1, m.height-frameLines-len(m.columns())) }

// roomy is how many lines a terminal has that can spare one for the names of columns.
const roomy = 10

// columns is the line that names the columns of a screen with tabs; without tabs it takes their place.
func (m *model) columns() []string {
	if _, ok := m.top().screen.(tabbed); !ok || len(m.top().screen.header().cells) == 0 || m.height < roomy {
		return nil
	}
	return []string{m.header()}
}

func (m *model) header() string {
	return styles[dim].Render(termtext.Fit(strings.TrimRight(m.top().screen.header().draw(m.width, asIs), " "), m.width))
}

// View implements tea.Model.
func (m *model) View() tea.View {
	lines := append([]string{m.bar(), m.second()}, m.columns()...)
	lines = append(lines, m.body()...)
	for len(lines) < m.height-1 {
		lines = append(lines, "")
	}
	v := tea.NewView(strings.Join(append(lines, m.bottom()), "\n"))
	v.AltScreen = true
	v.WindowTitle = "brenner: " + termtext.Visible(m.top().title())
	return v
}

// bar says what is seen, and of which project.
func (m *model) bar() string {
	left := " brenner · " + termtext.Visible(m.top().title())
	right := termtext.Visible(filepath.Base(m.options.Sessions.Mail().Project().HumanKey)) + " "
	left = termtext.Fit(left, max(1, m.width-termtext.Cells(right)-1))
	gap := max(1, m.width-termtext.Cells(left)-termtext.Cells(right))
	return barStyle.Render(termtext.Fit(left+strings.Repeat(" ", gap)+right, m.width))
}

// second is the line of tabs, or the names of the columns.
func (m *model) second() string {
	current, ok := m.top().screen.(tabbed)
	if !ok {
		return m.header()
	}
	var b strings.Builder
	for i, t := range current.siblings() {
		name := fmt.Sprintf(" %d %s ", i+1, t.tab())
		if t == current {
			name = styles[heading].Render(name)
		}
		b.WriteString(name)
	}
	return b.String()
}

func asIs(_ ink, text string) string { return text }

func (m *model) body() []string {
	l := m.top()
	switch {
	case !l.loaded:
		return []string{styles[dim].Render(" loading…")}
	case l.err != nil:
		return linesOf(paragraphs(bad, 1, l.err.Error(), m.width-1), m.width, m.bodyHeight())
	case len(l.rows) == 0 && l.filter != "":
		return []string{styles[dim].Render(" nothing matches; Esc shows everything")}
	}
	var lines []string
	for i, r := range l.window(m.bodyHeight()) {
		if l.top+i == l.at {
			lines = append(lines, r.underCursor(m.width))
		} else {
			lines = append(lines, r.line(m.width))
		}
	}
	return lines
}

func linesOf(rows []row, width, most int) []string {
	var lines []string
	for _, r := range rows[:min(len(rows), most)] {
		lines = append(lines, r.line(width))
	}
	return lines
}

// bottom is the filter while it is typed, else what keys do.
func (m *model) bottom() string {
	l := m.top()
	if m.typing {
		return termtext.Fit("/"+termtext.Visible(l.filter)+"▏", m.width)
	}
	switch {
	case m.asked != nil:
		return styles[warn].Render(termtext.Fit(" "+termtext.Visible(m.asked.question)+" y/n", m.width))
	case m.said != "":
		return styles[strong].Render(termtext.Fit(" "+termtext.Visible(m.said), m.width))
	}
	place := ""
	if len(l.rows) > 0 {
		place = fmt.Sprintf("%d/%d  ", l.at+1, len(l.rows))
	}
	if l.filter != "" {
		place += "filter: " + termtext.Visible(l.filter) + "  "
	}
	hints := "j/k move  Enter open  Esc back  Tab next  / filter  ? help  q quit"
	if s, ok := l.screen.(hinted); ok && m.options.Hands != nil {
		hints = s.hints()
	}
	return styles[dim].Render(termtext.Fit(" "+place+hints, m.width))
}
