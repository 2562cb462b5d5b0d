package planner

import (
	"slices"
	"time"

	"brenner/internal/mail"
)

// mark remembers a plan before a call, so that a call that fails leaves nothing.
type mark struct {
	lastID    int64
	lastTime  time.Time
	lastAgent mail.AgentID
	rows      Rows // its lengths matter: what was added later is cut off
	threads   []threadMark
	agents    []factKey
	keys      []factKey
	members   []memberKey
	heads     []headMark
	stories   []storyMark
}

type threadMark struct {
	key    factKey
	thread *mail.Thread // nil: it was not there
	before mail.Thread
}

func (p *Plan) mark() *mark {
	return &mark{
		lastID: p.lastID, lastTime: p.lastTime, lastAgent: p.lastAgent, rows: p.rows,
	}
}

func (m *mark) save(key factKey, t *mail.Thread) {
	saved := threadMark{key: key, thread: t}
	if t != nil {
		saved.before = *t
	}
	m.threads = append(m.threads, saved)
}

func (p *Plan) undo(m *mark) {
	p.lastID, p.lastTime, p.lastAgent = m.lastID, m.lastTime, m.lastAgent
	p.rows = m.rows
	for _, saved := range slices.Backward(m.threads) { // the oldest state of a thread last
		if saved.thread == nil {
			p.threads[saved.key] = nil
			continue
		}
		*saved.thread = saved.before
		p.threads[saved.key] = saved.thread
	}
	for _, key := range m.agents {
		p.agents[key] = nil
	}
	for _, key := range m.keys {
		p.keys[key] = nil
	}
	for _, key := range m.members {
		delete(p.members, key)
	}
	p.undoJournal(m)
}
