package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/mail/planner"
	"brenner/internal/store/commitqueue"
)

// head is the row at the end of the log.
type head struct {
	generation  int64
	writer      []byte
	lastMessage int64
	lastTime    time.Time
	lastAgent   mail.AgentID
	lastEvent   mail.Cursor
	lastLease   int64
}

// plan begins a plan from the end of the log.
func (h *head) plan() *planner.Plan { return planner.New(h.lastMessage, h.lastTime, h.lastAgent) }

// transaction is the writer's transaction under way. Statements that only write are queued and
// travel together with the next query or with the commit. Every error of a statement is a fault:
// the whole transaction is then rolled back, and its calls are tried one by one.
type transaction struct {
	reader
	conn    *pgx.Conn
	timeout time.Duration // of one exchange with the server; 0: the context's alone
	plan    *planner.Plan
	head    head
	queued  *pgx.Batch
	hasty   bool  // it began without asking
	dirty   bool  // something was queued
	broken  error // the first fault

	written  []mail.Message // the first one, to find out whether a commit took place
	projects []mail.ProjectID
	news     map[mail.ProjectID]mail.Cursor // last event of each project
}

const headQuery = `SELECT generation, writer, last_message, last_us, last_agent, last_event, last_lease,
	(SELECT version FROM schema_version) FROM head WHERE only_row FOR UPDATE`

// staleQuery takes the lock, and fails unless the log ends where it ended before.
const staleQuery = `SELECT 1 / (generation = $1 AND writer = $2 AND (SELECT version FROM schema_version) <= $3)::integer
	FROM head WHERE only_row FOR UPDATE`

// usedQuery fails if a key was used by an archived message.
const usedQuery = "SELECT 1 / (NOT EXISTS (SELECT 1 FROM archived_messages WHERE key_hash IS NOT NULL AND key_hash = ANY ($1)))::integer"

func (h *head) scan(rows pgx.Rows, version *int) error {
	var us, agent, event int64
	err := rows.Scan(&h.generation, &h.writer, &h.lastMessage, &us, &agent, &event, &h.lastLease, version)
	h.lastTime, h.lastAgent, h.lastEvent = instant(us), mail.AgentID(agent), mail.Cursor(event)
	return err
}

// queue adds a statement to what is sent next.
func (tx *transaction) queue(query string, args ...any) {
	tx.dirty = true
	tx.queued.Queue(query, args...)
}

// exchange sends what is queued. The last statements are queries: each of the scans reads the
// rows of one of them.
func (tx *transaction) exchange(ctx context.Context, scans ...func(rows pgx.Rows) error) error {
	if tx.broken != nil {
		return tx.broken
	}
	batch := tx.queued
	tx.queued = &pgx.Batch{}
	if batch.Len() == 0 {
		return nil
	}
	ctx, cancel := tx.bounded(ctx)
	defer cancel()
	results := tx.conn.SendBatch(ctx, batch)
	err := readBatch(results, batch.Len()-len(scans), scans)
	if closeErr := results.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		tx.broken = commitqueue.Fault(err)
	}
	return tx.broken
}

func readBatch(results pgx.BatchResults, silent int, scans []func(rows pgx.Rows) error) error {
	for range silent {
		if _, err := results.Exec(); err != nil {
			return err
		}
	}
	for _, scan := range scans {
		rows, err := results.Query()
		if err != nil {
			return err
		}
		if err := drain(rows, scan); err != nil {
			return err
		}
	}
	return nil
}

// bounded keeps a server that does not answer from holding up the writer. A caller that
// goes away does not end the exchange: others share the transaction.
func (tx *transaction) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if tx.timeout == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(context.WithoutCancel(ctx), tx.timeout)
}

// each implements queryer: what is queued goes first.
func (tx *transaction) each(ctx context.Context, scan func(rows pgx.Rows) error, query string, args ...any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	tx.queued.Queue(query, args...)
	return tx.exchange(ctx, scan)
}

// forget drops what the plan knows, after something was written beside it. Everything planned
// must have been flushed.
func (tx *transaction) forget() { tx.plan = tx.head.plan() }

// commit writes the end of the log, tells those who listen, and commits, all in one
// exchange.
func (tx *transaction) commit(ctx context.Context, writer []byte) error {
	h := &tx.head
	h.generation, h.writer = h.generation+1, writer
	tx.queue(`UPDATE head SET generation = $1, writer = $2, last_message = $3, last_us = $4, last_agent = $5, last_event = $6, `+
		`last_lease = $7 WHERE only_row`,
		h.generation, h.writer, h.lastMessage, h.lastTime.UnixMicro(), int64(h.lastAgent), int64(h.lastEvent), h.lastLease)
	if len(tx.news) > 0 {
		tx.queue("SELECT pg_notify($1, $2)", tx.store.place.schema, announcement(tx.news))
	}
	tx.queue("COMMIT")
	return tx.exchange(ctx)
}

// maxAnnounced is how many projects fit into a notification; with more it is empty, and
// those who listen look for themselves.
const maxAnnounced = 150

// announcement is "project:event" for each project with news.
func announcement(news map[mail.ProjectID]mail.Cursor) string {
	if len(news) > maxAnnounced {
		return ""
	}
	var b strings.Builder
	for project, last := range news {
		fmt.Fprintf(&b, "%d:%d ", project, last)
	}
	return b.String()
}

// rollback ends the transaction without a trace. If the connection is gone, so is the
// transaction.
func (tx *transaction) rollback() {
	if tx.conn.IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), tx.store.options.Timeout)
	defer cancel()
	_, _ = tx.conn.Exec(ctx, "ROLLBACK") // should it fail, the connection is closed
}
