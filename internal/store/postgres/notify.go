package postgres

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
)

// notifier wakes those who wait for events. One connection listens for all of them: it learns
// the last event of each project when it begins, and every commit announces how far its projects have
// come since. So a waiter costs neither a connection nor a query. The listening begins with
// the first waiter and lasts until the store is closed.
type notifier struct {
	store   *Store
	running sync.WaitGroup
	retry   chan struct{} // a new waiter wants the connection now

	mu        sync.Mutex
	changed   chan struct{} // closed and made anew at every change below
	cancel    context.CancelFunc
	stopped   bool
	listening bool                           // latest is right
	latest    map[mail.ProjectID]mail.Cursor // last event of each project
	attempts  int                            // how often listening was tried
	err       error                          // of the last attempt
}

// How the listener keeps its connection: it tries again after a pause that grows, and asks the
// server for a sign of life when it has been silent.
const (
	firstPause  = 100 * time.Millisecond
	longPause   = 5 * time.Second
	silentCheck = 30 * time.Second
)

func newNotifier(s *Store) *notifier {
	return &notifier{store: s, retry: make(chan struct{}, 1), changed: make(chan struct{})}
}

// wait returns when the project has an event after the cursor. A waiter that comes while the
// server is away gets the error of the next attempt to reach it; one that waits already stays.
func (n *notifier) wait(ctx context.Context, project mail.ProjectID, after mail.Cursor) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.begin()
	listened, attempts := false, n.attempts
	for {
		switch {
		case n.stopped:
			return mail.Closed()
		case n.listening && n.latest[project] > after:
			return nil
		case n.listening:
			listened = true
		case !listened && n.err != nil && n.attempts > attempts:
			return n.err
		}
		changed := n.changed
		n.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		n.mu.Lock()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// begin makes sure that a connection listens.
func (n *notifier) begin() {
	if n.stopped || n.listening {
		return
	}
	if n.cancel == nil {
		var ctx context.Context
		ctx, n.cancel = context.WithCancel(context.Background())
		n.running.Go(func() { n.loop(ctx) })
	}
	select {
	case n.retry <- struct{}{}:
	default:
	}
}

// stop ends the listening and wakes all who wait: the store is closed.
func (n *notifier) stop() {
	n.change(func() {
		n.stopped = true
		if n.cancel != nil {
			n.cancel()
		}
	})
	n.running.Wait()
}

// change changes what waiters look at.
func (n *notifier) change(edit func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	edit()
	close(n.changed)
	n.changed = make(chan struct{})
}

func (n *notifier) loop(ctx context.Context) {
	for pause := firstPause; ctx.Err() == nil; {
		listened, err := n.listen(ctx)
		if pause *= 2; listened {
			pause = firstPause
		}
		n.change(func() { n.listening, n.err, n.attempts = false, err, n.attempts+1 })
		timer := time.NewTimer(min(pause, longPause))
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-n.retry:
		}
		timer.Stop()
	}
}

// listen listens on one connection until it breaks.
func (n *notifier) listen(ctx context.Context) (listened bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, n.store.place.direct())
	if err != nil {
		return false, err
	}
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTimeout)
		defer cancel()
		conn.Close(ending)
		select {
		case <-conn.PgConn().CleanupDone():
		case <-ending.Done():
		}
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+n.store.place.quoted()); err != nil {
		return false, err
	}
	if err := n.lookAll(ctx, conn); err != nil {
		return false, err
	}
	for {
		if err := n.next(ctx, conn); err != nil {
			return true, err
		}
	}
}

// lookAll learns the last event of every project. What is committed later is announced.
func (n *notifier) lookAll(ctx context.Context, conn *pgx.Conn) error {
	latest := map[mail.ProjectID]mail.Cursor{}
	err := plain{conn}.each(ctx, func(rows pgx.Rows) error {
		var project, last int64
		err := rows.Scan(&project, &last)
		latest[mail.ProjectID(project)] = mail.Cursor(last)
		return err
	}, "SELECT p.id, coalesce((SELECT max(seq) FROM events e WHERE e.project_id = p.id), 0) FROM projects p")
	if err != nil {
		return err
	}
	n.change(func() { n.latest, n.listening, n.err = latest, true, nil })
	return nil
}

// next waits for one announcement. After a long silence it asks whether the server is there.
func (n *notifier) next(ctx context.Context, conn *pgx.Conn) error {
	waiting, cancel := context.WithTimeout(ctx, silentCheck)
	defer cancel()
	notification, err := conn.WaitForNotification(waiting)
	switch {
	case err == nil:
	case ctx.Err() == nil && waiting.Err() != nil && !conn.IsClosed():
		ping, cancel := context.WithTimeout(ctx, connectTimeout)
		defer cancel()
		return conn.Ping(ping)
	default:
		return err
	}
	news, ok := parseAnnouncement(notification.Payload)
	if !ok {
		return n.lookAll(ctx, conn)
	}
	n.change(func() {
		for project, last := range news {
			n.latest[project] = max(n.latest[project], last)
		}
	})
	return nil
}

// parseAnnouncement reads what announcement writes. What cannot be read means that
// something happened.
func parseAnnouncement(text string) (map[mail.ProjectID]mail.Cursor, bool) {
	news := map[mail.ProjectID]mail.Cursor{}
	for part := range strings.FieldsSeq(text) {
		project, last, _ := strings.Cut(part, ":")
		p, err := strconv.ParseInt(project, 10, 64)
		if err != nil {
			return nil, false
		}
		c, err := strconv.ParseInt(last, 10, 64)
		if err != nil {
			return nil, false
		}
		news[mail.ProjectID(p)] = mail.Cursor(c)
	}
	return news, len(news) > 0
}
