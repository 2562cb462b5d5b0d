package memory

import (
	"context"

	"brenner/internal/journal"
	"brenner/internal/mail"
	"brenner/internal/mail/planner"
)

// Leaves implements mail.Journalist.
func (s *Store) Leaves(ctx context.Context, project mail.ProjectID, n int64, limit int) ([]mail.LeafRow, error) {
	unlock, err := s.enter(ctx, project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	var list []mail.LeafRow
	for _, l := range s.leaves {
		if l.Project == project && l.N >= n && (limit == 0 || len(list) < limit) {
			list = append(list, l)
		}
	}
	return list, nil
}

// tellJournal tells a plan what it wants to know of the journal.
func (s *Store) tellJournal(plan *planner.Plan, project mail.ProjectID, wants *planner.Wants) {
	if wants.Journal {
		var head journal.Head
		for i := range s.leaves {
			if s.leaves[i].Project == project {
				head = s.leaves[i].After()
			}
		}
		plan.KnowJournal(project, head)
	}
	for _, thread := range wants.Stories {
		var story journal.Story
		for i := range s.messages {
			if m := &s.messages[i]; m.Project == project && m.ThreadID == thread {
				story.Tell(m.From, m.Type, m.Version, journal.None)
			}
		}
		for i := range s.leaves {
			if l := &s.leaves[i]; l.Project == project && l.ThreadID == thread && l.Kind == journal.Complete {
				story.Completed = true
			}
		}
		plan.KnowStory(project, thread, story)
	}
}

// backfill gives the messages of a store from before their leaves.
func (s *Store) backfill() {
	var fill mail.Backfill
	for i := range s.messages {
		if leaf, ok := fill.Next(&s.messages[i]); ok {
			s.leaves = append(s.leaves, leaf)
		}
	}
}
