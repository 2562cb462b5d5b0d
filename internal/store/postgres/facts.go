package postgres

import (
	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/mail/planner"
	"brenner/internal/store/commitqueue"
)

// facts is what a plan has to be told before a batch of calls can be planned.
type facts struct {
	wants   []commitqueue.Wants
	agents  []mail.Agent
	threads []mail.Thread
	keys    []mail.Message
	leaves  []mail.LeafRow
	stories []told
}

// queue adds the queries, and returns who reads them.
func (f *facts) queue(s *Store, batch *pgx.Batch) []func(rows pgx.Rows) error {
	var scans []func(rows pgx.Rows) error
	for i := range f.wants {
		w := &f.wants[i]
		project := int64(w.Project)
		scans = append(scans, f.queueJournal(s, w, batch)...)
		if len(w.Agents) > 0 {
			batch.Queue(agentQuery+" WHERE project_id = $1 AND name_key = ANY ($2)", project, w.Agents)
			scans = append(scans, into(&f.agents, scanAgent))
		}
		if len(w.Threads) > 0 {
			batch.Queue(s.threadQuery()+" WHERE project_id = $1 AND thread_id = ANY ($2)", project, w.Threads)
			scans = append(scans, into(&f.threads, scanThread))
		}
		if len(w.Keys) > 0 {
			for _, table := range s.messageTables() {
				batch.Queue(messageQuery(table)+" WHERE m.project_id + 0 = $1 AND m.key_hash IS NOT NULL AND m.key_hash = ANY ($2)",
					project, keyHashes(w.Keys))
				scans = append(scans, into(&f.keys, scanMessage))
			}
		}
	}
	return scans
}

func into[T any](list *[]T, scan func(pgx.Rows) (T, error)) func(rows pgx.Rows) error {
	return func(rows pgx.Rows) error {
		v, err := scan(rows)
		*list = append(*list, v)
		return err
	}
}

// tell tells the plan what was found, and what was not.
func (f *facts) tell(plan *planner.Plan) {
	f.tellJournal(plan)
	for i := range f.wants {
		w := &f.wants[i]
		for _, name := range w.Agents {
			plan.KnowAgent(w.Project, name, nil)
		}
		for _, id := range w.Threads {
			plan.KnowThread(w.Project, id, nil)
		}
		for _, key := range w.Keys {
			plan.KnowKey(w.Project, key, nil)
		}
	}
	for i := range f.agents {
		a := &f.agents[i]
		plan.KnowAgent(a.Project, mail.NameKey(a.Name), a)
	}
	for i := range f.threads {
		t := &f.threads[i]
		plan.KnowThread(t.Project, t.ID, t)
	}
	for i := range f.keys {
		m := &f.keys[i]
		plan.KnowKey(m.Project, m.Key, m)
	}
}
