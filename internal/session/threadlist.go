package session

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"brenner/internal/fold"
	"brenner/internal/mail"
)

// threadList follows the threads of the project by events, as owing does what is owed (BenchmarkPages/genealogy/note). Safe for
// concurrent use.
type threadList struct {
	mu   sync.Mutex
	at   Revision
	read time.Time     // when all of them were last read; zero: never
	rows []mail.Thread // most recently active first

	summaries map[string]*summary // of threads, as of their last message
}

// summary returns what is known of a thread as it is now, nil if nothing is.
func (l *threadList) summary(t *mail.Thread) *summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.summaries[t.ID]; m != nil && m.at == (fold.Position{Message: t.HeadID, Chain: t.ChainHash}) {
		return m
	}
	return nil
}

func (l *threadList) keep(m *summary) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.summaries == nil {
		l.summaries = map[string]*summary{}
	}
	if _, known := l.summaries[m.ThreadID]; known || len(l.summaries) < maxSummaries {
		l.summaries[m.ThreadID] = m
	}
}

// allThreads returns the threads of the project, most recently active first, to be read. Where events are followed, only the
// threads are asked about that something happened to; all of them now and then, should the store be another one.
func (s *Sessions) allThreads(ctx context.Context) ([]mail.Thread, error) {
	query := mail.ThreadQuery{Project: s.project()}
	if !s.following() {
		return s.store().Threads(ctx, query)
	}
	now, err := s.Revision(ctx, "")
	if err != nil {
		return nil, err
	}
	now.Thread = 0 // of no thread in particular
	l := &s.list
	l.mu.Lock()
	defer l.mu.Unlock()
	age := s.now().Sub(l.read)
	known := !l.read.IsZero() && age >= 0 && age < recheck && l.at.Era == now.Era
	if known && l.at == now {
		return l.rows, nil
	}
	if ids, _ := s.touched(l.at.Cursor); known && len(ids) <= maxAskedSingly {
		query.IDs = ids
	}
	rows, err := s.store().Threads(ctx, query)
	if err != nil {
		return nil, err
	}
	if query.IDs == nil {
		l.read = s.now()
	} else {
		rows = withRows(l.rows, rows)
	}
	l.at, l.rows = now, rows
	return rows, nil
}

// withRows replaces and adds rows of a list.
func withRows(list, news []mail.Thread) []mail.Thread {
	fresh := map[string]bool{}
	for i := range news {
		fresh[news[i].ID] = true
	}
	for i := range list {
		if !fresh[list[i].ID] {
			news = append(news, list[i])
		}
	}
	slices.SortStableFunc(news, func(a, b mail.Thread) int { return cmp.Compare(b.HeadID, a.HeadID) })
	return news
}
