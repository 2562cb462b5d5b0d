package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"brenner/internal/mail"
)

// Events implements mail.Feed.
func (s *Store) Events(ctx context.Context, q mail.EventQuery) (list []mail.Event, err error) {
	err = s.read(ctx, "reading events", func(r reader) error {
		var w where
		w.add("e.seq > ? AND e.project_id = ?", int64(q.After), q.Project)
		query := eventQuery + w.String() + " ORDER BY e.seq" + w.limit(q.Limit)
		list, err = collect(ctx, r.db, scanEvent, query, w.args...)
		if err == nil && len(list) == 0 {
			err = r.checkProject(ctx, q.Project)
		}
		return err
	})
	return list, err
}

const eventQuery = `SELECT e.seq, e.project_id, e.kind, e.message_id, ifnull(m.thread_id, x.thread_id), coalesce(a.name, m.sender,
	x.sender),
	ifnull(e.state, 0), iif(e.kind = 'compiled', ifnull(m.version, x.version), 0), coalesce(e.at_us, m.created_us, x.created_us)
	FROM events e LEFT JOIN messages m ON m.id = e.message_id LEFT JOIN archived_messages x ON m.id IS NULL AND x.id = e.message_id
	LEFT JOIN agents a ON a.id = e.agent_id`

func scanEvent(rows *sql.Rows) (e mail.Event, err error) {
	var at int64
	err = rows.Scan(&e.Seq, &e.Project, &e.Kind, &e.Message, &e.Thread, &e.Agent, &e.State, &e.Version, &at)
	e.At = instant(at)
	return e, err
}

// Wait implements mail.Feed.
func (s *Store) Wait(ctx context.Context, project mail.ProjectID, after mail.Cursor) error {
	leave := s.notify.enter()
	defer leave()
	for {
		changed := s.notify.next()
		var there int64
		err := s.read(ctx, "waiting for events", func(r reader) (err error) {
			there, err = number(ctx, r.db, "SELECT EXISTS (SELECT 1 FROM events WHERE seq > ? AND project_id = ?)", int64(after), project)
			if err == nil && there == 0 {
				err = r.checkProject(ctx, project)
			}
			return err
		})
		if err != nil || there != 0 {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// pollEvery is how often the file is asked whether another process wrote to it, while a caller
// waits. Asking costs microseconds.
const pollEvery = 50 * time.Millisecond

// notifier wakes those who wait: at once for what this process writes, after a poll for
// others.
type notifier struct {
	store   *Store
	mu      sync.Mutex
	changed chan struct{}
	waiting int
	cancel  context.CancelFunc // ends the poller; nil if none runs
	pollers sync.WaitGroup
	stopped bool
}

func newNotifier(s *Store) *notifier {
	return &notifier{store: s, changed: make(chan struct{})}
}

// next returns a channel that is closed at the next change.
func (n *notifier) next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.changed
}

func (n *notifier) wake() {
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.changed)
	n.changed = make(chan struct{})
}

// enter counts a waiter; the poller runs while there is one.
func (n *notifier) enter() (leave func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.waiting++
	if n.cancel == nil && !n.stopped {
		var ctx context.Context
		ctx, n.cancel = context.WithCancel(context.Background())
		n.pollers.Go(func() { n.poll(ctx) })
	}
	return n.leave
}

func (n *notifier) leave() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.waiting--; n.waiting == 0 && n.cancel != nil {
		n.cancel()
		n.cancel = nil
	}
}

// stop ends the poller and wakes all who wait: the store is closed.
func (n *notifier) stop() {
	n.mu.Lock()
	n.stopped = true
	if n.cancel != nil {
		n.cancel()
		n.cancel = nil
	}
	n.mu.Unlock()
	n.wake()
	n.pollers.Wait()
}

// poll asks for the file's version on one connection: it changes when another wrote.
func (n *notifier) poll(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	var w watch
	defer w.close()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if w.moved(ctx, n.store) {
			n.wake()
		}
	}
}

// watch is a connection kept to see the version of the file move.
type watch struct {
	files   *files
	conn    *sql.Conn
	version int64
}

func (w *watch) close() {
	if w.conn != nil {
		w.conn.Close()
		w.conn = nil
	}
}

// moved tells whether something was written since it was last asked. In doubt it was: those
// who wait look for themselves, and learn what is wrong.
func (w *watch) moved(ctx context.Context, s *Store) bool {
	f, release, err := s.use(ctx)
	if err != nil {
		return true
	}
	defer release()
	if w.files != f {
		w.close()
		if w.conn, err = f.readers.Conn(ctx); err != nil {
			w.conn = nil
			return true
		}
		w.files, w.version = f, -1
	}
	var version int64
	if err := w.conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version); err != nil {
		w.files = nil
		return true
	}
	changed := version != w.version
	w.version = version
	return changed
}
