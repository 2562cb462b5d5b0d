package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/store/commitqueue"
)

// idleTimeout is how long the server lets a transaction of a writer that fell silent keep the
// lock.
const idleTimeout = time.Minute

// maxFacts bounds what a plan remembers between transactions.
const maxFacts = 20_000

// connect makes the writer's connection, unless it is there. The schema is looked at each
// time: meanwhile a newer program may have changed it.
func (w *writer) connect(ctx context.Context) error {
	if w.conn != nil && !w.conn.IsClosed() {
		return nil
	}
	w.conn, w.plan = nil, nil
	bounded, cancel := context.WithTimeout(ctx, w.store.options.Timeout)
	defer cancel()
	conn, err := pgx.ConnectConfig(bounded, w.store.place.session(map[string]string{
		"lock_timeout":                        milliseconds(w.store.options.LockTimeout),
		"idle_in_transaction_session_timeout": milliseconds(idleTimeout),
		"statement_timeout":                   milliseconds(w.store.options.StatementTimeout),
		"plan_cache_mode":                     "force_generic_plan", // planning would cost as much as running
	}))
	if err != nil {
		return err
	}
	w.conn = conn
	if err = w.store.place.checkRole(bounded, conn); err == nil && !w.store.place.pooled {
		// An answer means that the message is on disk, whatever the server's default.
		_, err = conn.Exec(bounded, "SELECT set_config('synchronous_commit', 'on', false) WHERE "+
			"current_setting('synchronous_commit') = 'off'")
	}
	if err == nil {
		err = w.store.migrate(ctx, conn)
	}
	if err != nil {
		w.hangUp()
		return err
	}
	w.store.known.forget()
	return nil
}

// hangUp closes the connection.
func (w *writer) hangUp() {
	if w.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	w.conn.Close(ctx)
	select {
	case <-w.conn.PgConn().CleanupDone():
	case <-ctx.Done():
	}
	w.conn = nil
}

// begin takes the lock and learns what the batch builds on. A connection that broke while it
// lay idle is found out only now: then it is made again, once.
func (w *writer) begin(ctx context.Context, batch []*call) (*transaction, error) {
	for {
		fresh := w.conn == nil || w.conn.IsClosed()
		if err := w.connect(ctx); err != nil {
			return nil, err
		}
		tx, err := w.enter(ctx, batch)
		if err == nil {
			return tx, nil
		}
		if !w.conn.IsClosed() {
			tx.rollback()
			return nil, err
		}
		if fresh {
			return nil, err
		}
	}
}

// cautious is how many transactions ask before they write, after one was too hasty.
const cautious = 20

// enter begins the transaction.
func (w *writer) enter(ctx context.Context, batch []*call) (*transaction, error) {
	tx := &transaction{conn: w.conn, timeout: w.store.options.Timeout, queued: &pgx.Batch{}, news: map[mail.ProjectID]mail.Cursor{}}
	tx.reader = reader{tx, w.store}
	tx.queued.Queue("BEGIN")
	if w.caution == 0 && w.enterHastily(tx, batch) {
		return tx, nil
	}
	w.caution = max(0, w.caution-1)
	return tx, w.enterAsking(ctx, tx, batch)
}

// enterHastily takes for granted that no other process wrote since and that idempotency keys are new,
// as they nearly always are. Then there is nothing to ask, and the whole transaction is one
// exchange. Should it be wrong the server refuses it, for the log has moved or a key is there, and it
// is done again.
func (w *writer) enterHastily(tx *transaction, batch []*call) bool {
	if w.plan == nil || w.plan.Facts() > maxFacts || batch[0].Alone {
		return false
	}
	facts := &facts{wants: commitqueue.WantsOf(w.plan, batch)}
	var keys []string
	for i := range facts.wants {
		if w := &facts.wants[i]; len(w.Agents)+len(w.Threads)+len(w.Stories) > 0 || w.Journal {
			return false
		}
		keys = append(keys, facts.wants[i].Keys...)
	}
	tx.hasty, tx.plan, tx.head = true, w.plan, w.head
	tx.queued.Queue(staleQuery, w.head.generation, w.head.writer, len(w.store.steps()))
	if len(keys) > 0 && w.store.knowsArchives() {
		tx.queued.Queue(usedQuery, keyHashes(keys)) // an index of the log finds the others
	}
	facts.tell(tx.plan)
	return true
}

// enterAsking asks. The lock and the facts that the plan lacks travel in one exchange; if the plan
// turns out to be stale the facts are asked for again.
func (w *writer) enterAsking(ctx context.Context, tx *transaction, batch []*call) error {
	if batch[0].Alone {
		tx.timeout = 0
		tx.queued.Queue("SET LOCAL idle_in_transaction_session_timeout = 0")
		tx.queued.Queue("SET LOCAL statement_timeout = 0")
		tx.queued.Queue("SET LOCAL enable_seqscan = on") // it goes through everything
		tx.queued.Queue("SET LOCAL plan_cache_mode = auto")
	}
	guess := w.plan
	if guess == nil || guess.Facts() > maxFacts {
		guess = w.head.plan()
	}
	var version int
	scans := []func(rows pgx.Rows) error{func(rows pgx.Rows) error { return tx.head.scan(rows, &version) }}
	tx.queued.Queue(headQuery)
	facts := &facts{wants: commitqueue.WantsOf(guess, batch)}
	if err := tx.exchange(ctx, append(scans, facts.queue(w.store, tx.queued)...)...); err != nil {
		return err
	}
	if version == 0 { // there was no row
		return protocol.Errorf(protocol.StoreUnavailable, "%s is damaged: the end of its log is gone; restore a backup", w.store.place)
	}
	if err := w.store.checkVersion(version, len(w.store.steps())); err != nil {
		return err
	}
	tx.plan = guess
	if w.plan != guess || tx.head.generation != w.head.generation || string(tx.head.writer) != string(w.head.writer) {
		// Others wrote since, or nothing was known. A plan that knows nothing asked for
		// everything, so only its beginning has to be put right.
		tx.plan = tx.head.plan()
		if w.plan == guess {
			facts.wants = commitqueue.WantsOf(tx.plan, batch)
			if err := tx.exchange(ctx, facts.queue(w.store, tx.queued)...); err != nil {
				return err
			}
		}
	}
	facts.tell(tx.plan)
	return nil
}
