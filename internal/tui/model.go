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
}

// model is the whole view: a stack of layers, of which the last is seen.
type model struct {
	ctx           context.Context // of Run; ends every load that is under way
	options       Options
	width, height int
	layers        []*layer
	typing        bool // keys go into the filter
}

func newModel(ctx context.Context, o Options) *model {
	m := &model{ctx: ctx, options: o, width: 80, height: 24, layers: []*layer{{screen: sessionsScreen{}}}}
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
	d := desk{Sessions: m.options.Sessions, now: m.options.Now(), width: m.width}
	return func() tea.Msg {
		rows, err := l.load(m.ctx, d)
		return loaded{l, rows, err}
	}
}

// clock says that time has passed: ages and deadlines change without any event.
type clock struct{}

const clockEvery = 15 * time.Second

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
		return m, tea.Batch(m.load(m.top()), tick())
	case tea.KeyPressMsg:
		return m, m.key(msg)
	}
	return m, nil
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
	all := tabs(current.thread())
	for i, t := range all {
		if t == current {
			m.layers[len(m.layers)-1] = &layer{screen: all[to(i, len(all))]}
			return m.load(m.top())
		}
	}
	return nil
}
