package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// layer is a screen with what was loaded of it.
type layer struct {
	screen
	listing
	err    error
	loaded bool
	asked  time.Time // when it was last loaded
}

// model is the whole view: a stack of layers, of which the last is seen.
type model struct {
	ctx           context.Context // of Run; ends every load that is under way
	options       Options
	width, height int
	layers        []*layer
	typing        bool   // keys go into the filter
	asked         *act   // waits for a yes
	said          string // what became of the last act
}

func newModel(ctx context.Context, o Options) *model {
	m := &model{ctx: ctx, options: o, width: 80, height: 24, layers: []*layer{{screen: home()[0]}}}
	if o.Thread != "" {
		m.layers = append(m.layers, &layer{screen: tabs(o.Thread)[0]})
	}
	return m
}

func (m *model) top() *layer { return m.layers[len(m.layers)-1] }

// Init implements tea.Model.
func (m *model) Init() tea.Cmd { return tea.Batch(m.load(m.top()), tick()) }

// loaded is what a screen showed when it was asked.
type loaded struct {
	layer *layer
	rows  []row
	err   error
}

// load asks a screen for its rows, beside the loop.
func (m *model) load(l *layer) tea.Cmd {
	d := data{Sessions: m.options.Sessions, hands: m.options.Hands, now: m.options.Now(), width: m.width}
	l.asked = time.Now()
	return func() tea.Msg {
		rows, err := l.load(m.ctx, d)
		return loaded{l, rows, err}
	}
}

// clock says that time has passed: ages and deadlines change without any event.
type clock struct{}

// How often the clock is looked at, and how often a screen that has no pace of its own is loaded again.
const (
	clockEvery = time.Second
	usualPace  = 15 * time.Second
)

func tick() tea.Cmd { return tea.Tick(clockEvery, func(time.Time) tea.Msg { return clock{} }) }

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m, m.load(m.top())
	case loaded:
		msg.layer.err, msg.layer.loaded = msg.err, true
		if msg.err == nil {
			msg.layer.set(msg.rows)
		}
		return m, nil
	case news:
		return m, m.load(m.top())
	case clock:
		if l := m.top(); time.Since(l.asked) >= l.pace() {
			return m, tea.Batch(m.load(l), tick())
		}
		return m, tick()
	case acted:
		m.said = msg.text
		return m, m.load(m.top())
	case tea.KeyPressMsg:
		return m, m.key(msg)
	}
	return m, nil
}

func (l *layer) pace() time.Duration {
	if p, ok := l.screen.(paced); ok {
		return p.pace()
	}
	return usualPace
}

// push opens a screen over the one that is seen.
func (m *model) push(s screen) tea.Cmd {
	m.layers = append(m.layers, &layer{screen: s})
	return m.load(m.top())
}

// pop goes back; the first screen stays.
func (m *model) pop() tea.Cmd {
	if len(m.layers) == 1 {
		return nil
	}
	m.layers = m.layers[:len(m.layers)-1]
	return m.load(m.top())
}

// turn shows another tab in place of the one that is seen.
func (m *model) turn(to func(index, count int) int) tea.Cmd {
	current, ok := m.top().screen.(tabbed)
	if !ok {
		return nil
	}
	all := current.siblings()
	for i, t := range all {
		if next := to(i, len(all)); t == current && next < len(all) {
			m.layers[len(m.layers)-1] = &layer{screen: all[next]}
			return m.load(m.top())
		}
	}
	return nil
}
