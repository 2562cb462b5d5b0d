package tui

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// key does what a key means: in the filter a letter is a letter.
func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	if msg.String() == "ctrl+c" {
		return tea.Quit
	}
	if m.typing {
		m.typeKey(msg)
		return nil
	}
	if m.asked != nil {
		return m.confirm(msg.String())
	}
	m.said = ""
	l, page := m.top(), max(1, m.bodyHeight()-1)
	switch msg.String() {
	case "q":
		return tea.Quit
	case "j", "down":
		l.move(1)
	case "k", "up":
		l.move(-1)
	case "space", "pgdown", "ctrl+d", "ctrl+f":
		l.move(page)
	case "pgup", "ctrl+u", "ctrl+b":
		l.move(-page)
	case "g", "home":
		l.move(-len(l.rows))
	case "G", "end":
		l.move(len(l.rows))
	case "/":
		m.typing = true
	case "?":
		return m.help()
	case "r":
		return m.load(l)
	default:
		if m.reach(msg.String()) {
			return nil
		}
		return m.travel(msg.String())
	}
	return nil
}

// travel is for keys that lead to another screen.
func (m *model) travel(key string) tea.Cmd {
	switch key {
	case "enter", "l", "right":
		if r, ok := m.top().current(); ok && r.open != nil {
			return m.push(r.open)
		}
	case "esc", "h", "left", "backspace":
		if m.top().filter != "" {
			m.top().search("")
			return nil
		}
		return m.pop()
	case "tab":
		return m.turn(func(i, n int) int { return (i + 1) % n })
	case "shift+tab":
		return m.turn(func(i, n int) int { return (i + n - 1) % n })
	case "o":
		if r, ok := m.top().current(); ok && r.of.agent != "" && m.options.Hands != nil {
			return m.push(logScreen{r.of.thread, r.of.agent})
		}
	case "1", "2", "3", "4":
		return m.turn(func(int, int) int { return int(key[0] - '1') })
	}
	return nil
}

func (m *model) help() tea.Cmd {
	if _, open := m.top().screen.(helpScreen); open {
		return m.pop()
	}
	return m.push(helpScreen{})
}

// typeKey edits the filter.
func (m *model) typeKey(msg tea.KeyPressMsg) {
	l := m.top()
	switch msg.String() {
	case "enter", "down", "up":
		m.typing = false
	case "esc":
		m.typing = false
		l.search("")
	case "backspace":
		_, size := utf8.DecodeLastRuneInString(l.filter)
		l.search(l.filter[:len(l.filter)-size])
	case "ctrl+u":
		l.search("")
	default:
		if msg.Text != "" {
			l.search(l.filter + msg.Text)
		}
	}
}
