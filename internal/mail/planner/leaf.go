package planner

import (
	"maps"
	"slices"

	"brenner/internal/journal"
	"brenner/internal/mail"
)

// wantJournal asks for what the leaf of an entry depends on: where the journal ends, and for some kinds what the letters
// before it say.
func (p *Plan) wantJournal(w *Wants, project mail.ProjectID, e *Prepared) {
	if e.candidate == journal.None {
		return
	}
	w.Journal = w.Journal || p.heads[project] == nil
	if e.candidate.Asks() {
		w.Stories = want(w.Stories, p.stories, project, e.Message.ThreadID)
	}
}

// KnowJournal tells the plan where the journal of a project ends.
func (p *Plan) KnowJournal(project mail.ProjectID, head journal.Head) { p.heads[project] = &head }

// KnowStory tells the plan what the letters of a thread say, as far as the kinds of leaves depend on it.
func (p *Plan) KnowStory(project mail.ProjectID, thread string, story journal.Story) {
	p.stories[factKey{project, thread}] = &story
}

// enter writes the leaf of a message, if it has one (SCIENCE 11), and tells its thread's story on.
func (p *Plan) enter(undo *mark, m *mail.Message, e *Prepared) {
	key := factKey{m.Project, m.ThreadID}
	story, kind := p.stories[key], e.candidate
	if kind.Asks() {
		kind = story.Kind(kind, &m.Message)
	}
	if kind != journal.None {
		head := p.heads[m.Project]
		undo.saveHead(m.Project, head)
		leaf := head.Next(m.Letter().Leaf(kind), story)
		p.rows.Leaves = append(p.rows.Leaves, mail.LeafRow{Project: m.Project, Message: m.ID, Leaf: leaf})
	}
	if story != nil && (m.Version > 0 || kind.Asks() || e.candidate.Asks()) {
		undo.saveStory(story)
		story.Tell(m.From, m.Type, m.Version, kind)
	}
}

type storyMark struct {
	story  *journal.Story
	before journal.Story
}

type headMark struct {
	project mail.ProjectID
	before  journal.Head
}

func (m *mark) saveHead(project mail.ProjectID, head *journal.Head) {
	m.heads = append(m.heads, headMark{project, *head})
}

func (m *mark) saveStory(s *journal.Story) {
	before := *s
	before.Versions = maps.Clone(s.Versions)
	m.stories = append(m.stories, storyMark{s, before})
}

// undoJournal puts back the ends of journals and the stories of threads, the oldest state last.
func (p *Plan) undoJournal(m *mark) {
	for _, saved := range slices.Backward(m.heads) {
		*p.heads[saved.project] = saved.before
	}
	for _, saved := range slices.Backward(m.stories) {
		*saved.story = saved.before
	}
}
