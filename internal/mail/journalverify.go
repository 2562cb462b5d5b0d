package mail

import (
	"context"

	"brenner/internal/journal"
	"brenner/internal/protocol"
)

// JournalProof is the journal as it was found, and what of it does not match the log.
type JournalProof struct {
	Tree     *journal.Tree
	Leaves   []LeafRow
	Findings []protocol.Finding
}

// VerifyJournal recomputes the leaves of the project, or of one thread, from the log (SCIENCE 11). A leaf without its message is
// loss: RECORD_LOST. STORE_UNAVAILABLE: the store keeps no journal.
func (s *Service) VerifyJournal(ctx context.Context, thread string) (JournalProof, error) {
	p := JournalProof{Tree: &journal.Tree{}}
	err := s.Leaves(ctx, func(l *LeafRow) {
		if l.N != p.Tree.Size() {
			p.wrong(protocol.NotConsistent, "the journal has leaf %d in the place of leaf %d", l.N, p.Tree.Size())
		}
		p.Tree.Add(l.Line())
		p.Leaves = append(p.Leaves, *l)
	})
	if err != nil {
		return p, err
	}
	c := comparison{proof: &p, thread: thread}
	c.skip()
	err = s.letters(ctx, thread, func(m *Message) { c.next(m) })
	for err == nil && c.at < len(p.Leaves) {
		c.lost()
	}
	return p, err
}

// Last is the last message of a thread that has a leaf; 0: none has.
func (p *JournalProof) Last(thread string) (message int64) {
	for i := range p.Leaves {
		if l := &p.Leaves[i]; l.ThreadID == thread {
			message = l.Message
		}
	}
	return message
}

func (p *JournalProof) wrong(code protocol.Code, format string, args ...any) {
	if len(p.Findings) < protocol.MaxListed {
		p.Findings = append(p.Findings, protocol.NewFinding(code, format, args...))
	}
}

// Hold compares the journal with a checkpoint. One that is larger than the journal shows that something was cut off.
func (p *JournalProof) Hold(c journal.Checkpoint, from string) {
	if c.Size > p.Tree.Size() {
		p.wrong(protocol.RecordLost, "the journal has %d leaves; %s has %d", p.Tree.Size(), from, c.Size)
	} else if err := p.Tree.Holds(c); err != nil {
		p.wrong(protocol.NotConsistent, "%s: %v", from, err)
	}
}

// HoldNote is Hold for the note of a checkpoint.
func (p *JournalProof) HoldNote(note, from string) {
	c, err := journal.ParseNote(note)
	switch {
	case err != nil:
		p.wrong(protocol.NotConsistent, "%s: %v", from, err)
	default:
		p.Hold(c, from)
	}
}

// comparison walks the log and the journal together.
type comparison struct {
	proof    *JournalProof
	thread   string // "": all
	at       int    // the next leaf
	recorder journal.Recorder
}

// leaf is the next leaf, nil behind the last.
func (c *comparison) leaf() *LeafRow {
	if c.at == len(c.proof.Leaves) {
		return nil
	}
	return &c.proof.Leaves[c.at]
}

// skip passes over the leaves of other threads.
func (c *comparison) skip() {
	for c.thread != "" && c.leaf() != nil && c.leaf().ThreadID != c.thread {
		c.at++
	}
}

func (c *comparison) advance() {
	c.at++
	c.skip()
}

// lost says that the message of the next leaf is gone.
func (c *comparison) lost() {
	l := c.leaf()
	c.proof.wrong(protocol.RecordLost, "leaf %d of the journal is of message %d of %s, which is gone", l.N, l.MessageID, l.ThreadID)
	c.advance()
}

// next compares the next message of the log with the next leaf.
func (c *comparison) next(m *Message) {
	for c.leaf() != nil && c.leaf().Message < m.ID {
		c.lost()
	}
	kept := c.leaf()
	if kept != nil && kept.Message != m.ID {
		kept = nil
	}
	candidate := journal.Candidate(&m.Message, m.Type, nil)
	if kept != nil && m.Type == protocol.TypeDelta && m.Body == "" {
		candidate = kept.Kind // of an archived thread, whose text is in its crate: its hashes stay
	}
	want, ok := c.recorder.Next(m.Letter(), candidate)
	switch {
	case !ok && kept == nil:
		return
	case kept == nil && c.leaf() != nil && c.leaf().Imported:
		c.recorder.Size-- // a store from before: the text was in a crate when the journal began
		return
	case kept == nil:
		c.proof.wrong(protocol.NotConsistent, "message %d of %s has no leaf in the journal", m.ID, m.ThreadID)
		return
	}
	if !ok {
		c.proof.wrong(protocol.NotConsistent, "leaf %d of the journal is of message %d, which gives none", kept.N, m.ID)
	} else if c.expected(kept, want) != kept.Leaf {
		c.proof.wrong(protocol.NotConsistent, "leaf %d of the journal is not what message %d gives", kept.N, m.ID)
	}
	c.advance()
}

// expected is the leaf that the log gives, as far as the walk knows it: one thread does not know what the others began.
func (c *comparison) expected(kept *LeafRow, want journal.Leaf) journal.Leaf {
	want.Imported = want.Imported || kept.Imported // a store from before got all of them so
	if c.thread != "" {
		want.N, want.Begun, want.Completed = kept.N, kept.Begun, kept.Completed
	}
	return want
}

// letters hands out the messages of the project, or of one thread, by id, archived ones too.
func (s *Service) letters(ctx context.Context, thread string, visit func(*Message)) error {
	hot := &letterPages{s: s, q: MessageQuery{Project: s.project.ID, Thread: thread, Limit: FirstPage}}
	cold := &letterPages{s: s, q: MessageQuery{Project: s.project.ID, Thread: thread, Limit: FirstPage, Archived: true}}
	for {
		a, err := hot.peek(ctx)
		if err != nil {
			return err
		}
		b, err := cold.peek(ctx)
		switch {
		case err != nil:
			return err
		case a == nil && b == nil:
			return nil
		case b == nil || a != nil && a.ID < b.ID:
			visit(a)
			hot.page = hot.page[1:]
		default:
			visit(b)
			cold.page = cold.page[1:]
		}
	}
}

// letterPages reads messages page by page.
type letterPages struct {
	s    *Service
	q    MessageQuery
	page []Message
	done bool
}

// peek is the next message, nil behind the last. An archived thread has none in the log.
func (l *letterPages) peek(ctx context.Context) (*Message, error) {
	if len(l.page) == 0 && !l.done {
		page, err := l.s.store.Messages(ctx, l.q)
		if protocol.CodeOf(err) == protocol.ThreadArchived {
			page, err = nil, nil
		}
		if err != nil {
			return nil, err
		}
		l.page, l.done = page, len(page) < l.q.Limit
		if len(page) > 0 {
			l.q.After, l.q.Limit = page[len(page)-1].ID, NextPage(page)
		}
	}
	if len(l.page) == 0 {
		return nil, nil
	}
	return &l.page[0], nil
}
