package postgres

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
)

// maxTail is how many messages a search looks at one by one; with more the index catches up
// first.
const maxTail = 1000

// hit is a message that matches. Its text is loaded only if it is needed.
type hit struct {
	id      int64
	message *mail.Message
}

// Search implements mail.Mailbox.
func (s *Store) Search(ctx context.Context, q mail.SearchQuery) (found []mail.Message, err error) {
	query, err := newQuery(q)
	if err != nil {
		return nil, err
	}
	err = s.read(ctx, "searching", func(r reader) (err error) {
		found, err = r.search(ctx, q, query)
		return err
	})
	return found, err
}

func (r reader) search(ctx context.Context, q mail.SearchQuery, query tsquery) ([]mail.Message, error) {
	if err := r.checkProject(ctx, q.Project); err != nil {
		return nil, err
	}
	h := &hunt{reader: r, q: q, query: query}
	for again := true; again; {
		var err error
		if again, err = h.run(ctx); err != nil {
			return nil, err
		}
	}
	if h.many = h.many || len(h.hits) > mail.Candidates; h.many {
		h.hits = h.hits[:min(q.Limit, len(h.hits))]
	}
	found, err := h.load(ctx)
	if err != nil || h.many {
		return found, err
	}
	return mail.Rank(q, found), nil
}

// hunt collects the newest matches.
type hunt struct {
	reader
	q     mail.SearchQuery
	query tsquery
	want  int
	many  bool  // it is known that more match than are ranked
	hits  []hit // newest first
}

// run hunts once. It has to be done again if the index was begun anew meanwhile.
func (h *hunt) run(ctx context.Context) (again bool, err error) {
	// More than Candidates is all there is to know about how many match.
	h.hits, h.many, h.want = nil, false, max(mail.Candidates+1, h.q.Limit)
	state, err := h.indexState(ctx)
	if err == nil && state.last-state.watermark > maxTail {
		_ = h.store.index.catchUp(ctx) // what fails costs only time
		state, err = h.indexState(ctx)
	}
	if err != nil {
		return false, err
	}
	if state.last > state.watermark {
		if err := h.tail(ctx, state.watermark); err != nil || len(h.hits) >= h.want {
			return false, err
		}
	}
	if err := h.indexed(ctx, state.watermark+1); err != nil || len(h.hits) >= h.want {
		return false, err
	}
	now, err := h.indexState(ctx)
	return now.epoch != state.epoch, err
}

// indexState tells how far the index goes, and the log.
type indexState struct{ watermark, epoch, last int64 }

func (r reader) indexState(ctx context.Context) (s indexState, err error) {
	err = r.db.each(ctx, func(rows pgx.Rows) error { return rows.Scan(&s.watermark, &s.epoch, &s.last) },
		"SELECT s.watermark, s.epoch, h.last_message FROM search_state s, head h WHERE s.only_row AND h.only_row")
	return s, err
}

// tail looks at the messages behind the watermark, newest first.
func (h *hunt) tail(ctx context.Context, watermark int64) error {
	const page = 200
	for before := int64(1) << 62; ; {
		messages, err := h.messagesWhere(ctx, " WHERE m.id > $1 AND m.id < $2 ORDER BY m.id DESC"+limit(page), watermark, before)
		if err != nil {
			return err
		}
		for i := range messages {
			if before = messages[i].ID; h.q.Match(&messages[i]) {
				h.hits = append(h.hits, hit{messages[i].ID, &messages[i]})
			}
		}
		if len(messages) < page || len(h.hits) >= h.want {
			return nil
		}
	}
}

// How the index is asked. The newest messages are looked through in their order, which finds common words at once. How often the
// query matched there tells how far one would have to go on for the rest. If that is far the index of words is asked for any
// messages that match: if they are few they are all there is; if they are many only the newest are wanted, and the cheaper way to
// them is taken. A message that the index of words finds costs as much as perMatch that are looked through. The first look grows
// with the root of the log, as does what either way costs at worst.
const (
	firstWindow = 1000
	maxWindow   = 20_000
	perMatch    = 16
)

// indexed asks the index for as many as are missing, all before a message.
func (h *hunt) indexed(ctx context.Context, before int64) error {
	had, window := len(h.hits), max(firstWindow, int64(math.Sqrt(float64(before))))
	from, more, err := h.walk(ctx, before, window)
	if err != nil || !more {
		return err
	}
	span, n := before-from, int64(len(h.hits)-had)
	further := func() int64 { return int64(h.want-len(h.hits)) * window * 3 / 2 / max(n, 1) }
	words := h.query.text
	if span > 2*window { // others write too
		words = h.query.inProject()
	}
	if h.query.exact && (n == 0 || further() > maxWindow) {
		if done, err := h.few(ctx, from, words); err != nil || done {
			return err
		}
	}
	if matches := before * n / span; n > 0 && further() <= max(maxWindow, matches*perMatch) {
		if from, more, err = h.walk(ctx, from, further()); err != nil || !more {
			return err
		}
	}
	return h.lookUp(ctx, from, words)
}

// few takes all messages before another that match, if they are not too many to be ranked. Otherwise only as many as were asked for
// are wanted from here on. It tells whether there is nothing left to do.
func (h *hunt) few(ctx context.Context, before int64, words string) (done bool, err error) {
	room := h.want - len(h.hits)
	page, err := collect(ctx, h.db, scanCandidate, `SELECT message_id, whole FROM search
		WHERE words @@ $1::tsquery AND project_id + 0 = $2 AND message_id + 0 < $3 LIMIT $4`, words, int64(h.q.Project), before, room)
	if err != nil || slices.ContainsFunc(page, func(c candidate) bool { return !c.whole }) {
		return false, err
	}
	if len(page) == room {
		h.many, h.want = true, h.q.Limit
		return len(h.hits) >= h.want, nil
	}
	slices.SortFunc(page, func(a, b candidate) int { return cmp.Compare(b.id, a.id) })
	return true, h.take(ctx, page)
}

// walk looks through a window of the newest messages before an id. It tells from where to go
// on, and whether there is a reason to.
func (h *hunt) walk(ctx context.Context, before, window int64) (from int64, more bool, err error) {
	const walkQuery = `SELECT message_id, whole FROM
		(SELECT message_id, whole, words FROM search WHERE project_id = $1 AND message_id < $2 ORDER BY project_id DESC,
		message_id DESC LIMIT $3) w
		WHERE words @@ $4::tsquery LIMIT $5`
	for {
		want := h.want - len(h.hits)
		page, err := collect(ctx, h.db, scanCandidate, walkQuery, int64(h.q.Project), before, window, h.query.text, want)
		if err != nil {
			return 0, false, err
		}
		if err := h.take(ctx, page); err != nil || len(h.hits) >= h.want {
			return 0, false, err
		}
		if len(page) < want {
			break
		}
		before = page[len(page)-1].id // not all of them match: go on behind them
	}
	from, err = number(ctx, h.db, `SELECT message_id FROM search WHERE project_id = $1 AND message_id < $2
		ORDER BY project_id DESC, message_id DESC OFFSET $3 LIMIT 1`, int64(h.q.Project), before, window-1)
	return from, from != 0, err
}

// lookUp asks the index of words. The sums keep the planner from walking instead.
func (h *hunt) lookUp(ctx context.Context, before int64, query string) error {
	for {
		want := h.want - len(h.hits)
		if !h.query.exact {
			want = max(want, 1000) // each page searches anew
		}
		page, err := collect(ctx, h.db, scanCandidate, `SELECT message_id, whole FROM search
			WHERE words @@ $1::tsquery AND project_id + 0 = $2 AND message_id + 0 < $3 ORDER BY message_id + 0 DESC LIMIT $4`,
			query, int64(h.q.Project), before, want)
		if err != nil {
			return err
		}
		if err := h.take(ctx, page); err != nil || len(page) < want || len(h.hits) >= h.want {
			return err
		}
		before = page[len(page)-1].id
	}
}

// candidate is what the index found.
type candidate struct {
	id    int64
	whole bool
}

func scanCandidate(rows pgx.Rows) (c candidate, err error) {
	return c, rows.Scan(&c.id, &c.whole)
}

// take adds candidates, after a look at those that the index cannot vouch for.
func (h *hunt) take(ctx context.Context, page []candidate) error {
	var doubtful []int64
	for _, c := range page {
		if !h.query.exact || !c.whole {
			doubtful = append(doubtful, c.id)
		}
	}
	matched := map[int64]*mail.Message{}
	for len(doubtful) > 0 {
		n := min(len(doubtful), 100)
		messages, err := h.messagesWhere(ctx, " WHERE m.id = ANY ($1)", doubtful[:n])
		if err != nil {
			return err
		}
		for i := range messages {
			if h.q.Match(&messages[i]) {
				matched[messages[i].ID] = &messages[i]
			}
		}
		doubtful = doubtful[n:]
		if !h.query.exact && len(h.hits)+len(matched) >= h.want {
			break // the others are older
		}
	}
	for _, c := range page {
		if m := matched[c.id]; m != nil || h.query.exact && c.whole {
			h.hits = append(h.hits, hit{c.id, m})
		}
	}
	return nil
}

// load returns the messages of the hits, in their order.
func (h *hunt) load(ctx context.Context) ([]mail.Message, error) {
	var missing []int64
	for _, hit := range h.hits {
		if hit.message == nil {
			missing = append(missing, hit.id)
		}
	}
	loaded := map[int64]*mail.Message{}
	if len(missing) > 0 {
		messages, err := h.messagesWhere(ctx, " WHERE m.id = ANY ($1)", missing)
		if err != nil {
			return nil, err
		}
		for i := range messages {
			loaded[messages[i].ID] = &messages[i]
		}
	}
	found := make([]mail.Message, 0, len(h.hits))
	for _, hit := range h.hits {
		if hit.message == nil {
			hit.message = loaded[hit.id]
		}
		if hit.message != nil {
			found = append(found, *hit.message)
		}
	}
	return found, nil
}
