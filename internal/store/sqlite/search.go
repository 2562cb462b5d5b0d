package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"brenner/internal/mail"
)

// maxTail is how many messages a search looks at one by one; with more the index catches up
// first.
const maxTail = 1000

// Search implements mail.Mailbox.
func (s *Store) Search(ctx context.Context, q mail.SearchQuery) ([]mail.Message, error) {
	found, err := s.search(ctx, q)
	return found, s.failure("searching", err)
}

func (s *Store) search(ctx context.Context, q mail.SearchQuery) ([]mail.Message, error) {
	want := max(mail.Candidates+1, q.Limit)
	ids, watermark, err := s.index.find(ctx, q, want)
	if err == nil && q.Filter != nil {
		ids, err = s.accepted(ctx, q, ids, want)
	}
	if err != nil {
		return nil, err
	}
	var found []mail.Message
	many := false
	err = s.read(ctx, "searching", func(r reader) error {
		if err := r.checkProject(ctx, q.Project); err != nil {
			return err
		}
		if found, err = r.tail(ctx, q, watermark, want); err != nil {
			return err
		}
		if many = len(found)+len(ids) > mail.Candidates; many { // the newest are the result
			ids = ids[:min(len(ids), max(0, q.Limit-len(found)))]
		}
		older, err := r.byID(ctx, q, ids)
		found = append(found, older...)
		return err
	})
	if err != nil {
		return nil, err
	}
	if many {
		return found[:min(q.Limit, len(found))], nil
	}
	return mail.Rank(q, found), nil
}

// accepted keeps of what the index found what the filter accepts, and asks for older matches until there
// are as many as wanted. Texts are loaded a few at a time.
func (s *Store) accepted(ctx context.Context, q mail.SearchQuery, ids []int64, want int) (kept []int64, err error) {
	for {
		for chunk := range slices.Chunk(ids, usualPage) {
			err := s.read(ctx, "searching", func(r reader) error {
				messages, err := r.byID(ctx, q, chunk)
				for i := range messages {
					if q.Filter(&messages[i]) {
						kept = append(kept, messages[i].ID)
					}
				}
				return err
			})
			if err != nil || len(kept) >= want {
				return kept, err
			}
		}
		if len(ids) < want {
			return kept, nil
		}
		if ids, err = s.index.matches(ctx, q, ids[len(ids)-1]-1, want); err != nil {
			return nil, err
		}
	}
}

// tail looks at the messages behind the watermark, newest first.
func (r reader) tail(ctx context.Context, q mail.SearchQuery, watermark int64, want int) ([]mail.Message, error) {
	var found []mail.Message
	const page = 200
	for before := int64(1) << 62; ; {
		messages, err := r.messagesWhere(ctx, "WHERE m.id > ? AND m.id < ? ORDER BY m.id DESC"+limited, watermark, before, page)
		if err != nil {
			return nil, err
		}
		for i := range messages {
			if before = messages[i].ID; q.Match(&messages[i]) {
				found = append(found, messages[i])
			}
		}
		if len(messages) < page || len(found) >= want {
			return found, nil
		}
	}
}

// byID loads what the index found, newest first.
func (r reader) byID(ctx context.Context, q mail.SearchQuery, ids []int64) ([]mail.Message, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var w where
	w.in("m.id", ids)
	w.add("m.project_id = ?", q.Project)
	if q.Thread != "" {
		w.add("m.thread_id = ?", q.Thread)
	}
	found, err := r.messagesWhere(ctx, w.String()+" ORDER BY m.id DESC", w.args...)
	return found, err
}

// find asks the index for the newest matches, and says up to which message it goes. Without a
// usable index nothing is found in it, and everything is behind its watermark.
func (ix *index) find(ctx context.Context, q mail.SearchQuery, want int) (ids []int64, watermark int64, err error) {
	if _, err := ix.open(ctx); err != nil {
		return nil, 0, ctx.Err()
	}
	_, last, err := ix.data(ctx)
	if err != nil {
		return nil, 0, err
	}
	if watermark, err = ix.watermark(ctx); err != nil {
		return nil, 0, ctx.Err()
	}
	if last-watermark > maxTail {
		_ = ix.catchUp(ctx) // what fails only costs time
		if watermark, err = ix.watermark(ctx); err != nil {
			return nil, 0, ctx.Err()
		}
	}
	if ids, err = ix.matches(ctx, q, watermark, want); err != nil {
		return nil, 0, ctx.Err()
	}
	return ids, watermark, nil
}

// matches returns the newest messages up to an id that match.
func (ix *index) matches(ctx context.Context, q mail.SearchQuery, upTo int64, want int) ([]int64, error) {
	db, err := ix.open(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, "SELECT rowid FROM words WHERE words MATCH ? AND rowid <= ? ORDER BY rowid DESC"+limited,
		ix.match(ctx, q), upTo, want)
	if err != nil {
		return nil, err
	}
	return scanIDs(rows)
}

func scanIDs(rows *sql.Rows) ([]int64, error) {
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// match writes the query in the syntax of FTS5.
func (ix *index) match(ctx context.Context, q mail.SearchQuery) string {
	var b strings.Builder
	b.WriteString("{subject body} : (")
	writeExpr(&b, q.Expr)
	b.WriteString(")")
	if ix.severalProjects(ctx) {
		b.WriteString(` AND meta : "` + projectWord(q.Project) + `"`)
	}
	if q.Thread != "" {
		b.WriteString(` AND meta : "` + threadWord(q.Thread) + `"`)
	}
	if len(q.Types) > 0 {
		words := make([]string, len(q.Types))
		for i, t := range q.Types {
			words[i] = `"` + typeWord(t) + `"`
		}
		b.WriteString(" AND meta : (" + strings.Join(slices.Compact(words), " OR ") + ")")
	}
	return b.String()
}

// severalProjects tells whether the project has to be asked for: a word that every
// message has only slows the query down.
func (ix *index) severalProjects(ctx context.Context) bool {
	var n int64
	err := ix.store.read(ctx, "searching", func(r reader) (err error) {
		n, err = number(ctx, r.db, "SELECT count(*) FROM projects")
		return err
	})
	return err != nil || n != 1
}

func writeExpr(b *strings.Builder, e mail.Expr) {
	switch e := e.(type) {
	case mail.Term:
		b.WriteString(`"` + strings.Join(e.Words, " ") + `"`)
		if e.Prefix {
			b.WriteString("*")
		}
	case mail.And:
		writeList(b, e.All, " AND ")
		if len(e.None) > 0 {
			b.WriteString(" NOT ")
			writeList(b, e.None, " OR ")
		}
	case mail.Or:
		writeList(b, e, " OR ")
	}
}

func writeList(b *strings.Builder, list []mail.Expr, operator string) {
	b.WriteString("(")
	for i, e := range list {
		if i > 0 {
			b.WriteString(operator)
		}
		b.WriteString("(")
		writeExpr(b, e)
		b.WriteString(")")
	}
	b.WriteString(")")
}
