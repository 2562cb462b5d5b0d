package transfer

import (
	"context"
	"crypto/sha256"
	"slices"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// intake decides, inside the transaction, which lines of an import are new.
type intake struct {
	tx        mail.Tx
	project   mail.ProjectID
	there     map[canon.Hash]bool // digests of messages that are there
	originals map[origin][]body   // what came in before
	inFile    map[origin]body     // what came in with this file
	ids       map[origin]int64    // origin id → id here
	latest    map[int64]int64     // the same over all threads, for answers across them
}

type origin struct {
	thread   string
	id       int64
	exported bool // of inFile: by the id that the exporting store gave
}

type body = [sha256.Size]byte

func (in *intake) entries(ctx context.Context, arriving []arrival, threads []string) ([]mail.Entry, error) {
	in.there, in.originals = map[canon.Hash]bool{}, map[origin][]body{}
	in.inFile, in.ids, in.latest = map[origin]body{}, map[origin]int64{}, map[int64]int64{}
	for _, id := range threads {
		if err := in.load(ctx, mail.MessageQuery{Project: in.project, Thread: id, Limit: mail.FirstPage}); err != nil {
			return nil, err
		}
	}
	var entries []mail.Entry
	for i := range arriving {
		a := &arriving[i]
		if a.ThreadID == "" { // no thread to load: look for its time
			if err := in.load(ctx, mail.MessageQuery{Project: in.project, At: a.CreatedAt, Limit: mail.FirstPage}); err != nil {
				return nil, err
			}
		}
		if in.there[a.digest] {
			continue
		}
		if err := in.conflict(a); err != nil {
			return nil, err
		}
		in.there[a.digest] = true
		entries = append(entries, in.entry(a))
		in.know(a.ThreadID, a.OriginID(), in.tx.NextID()+int64(len(entries))-1)
	}
	return entries, nil
}

// load learns the messages of a query.
func (in *intake) load(ctx context.Context, q mail.MessageQuery) error {
	for {
		page, err := in.tx.Messages(ctx, q)
		if err != nil {
			return err
		}
		for i := range page {
			in.learn(&page[i])
		}
		if len(page) < q.Limit {
			return nil
		}
		q.After, q.Limit = page[len(page)-1].ID, mail.NextPage(page)
	}
}

func (in *intake) learn(m *mail.Message) {
	in.there[canon.SumTexts(m.ThreadID, mail.FormatTime(m.CreatedAt), mail.NameKey(m.From), m.Subject, m.Body)] = true
	in.know(m.ThreadID, m.OriginID(), m.ID)
	if m.OriginalID != 0 {
		key := origin{thread: m.ThreadID, id: m.OriginalID}
		in.originals[key] = append(in.originals[key], sha256.Sum256([]byte(m.Body)))
	}
}

func (in *intake) know(thread string, originID, id int64) {
	if originID != 0 {
		in.ids[origin{thread: thread, id: originID}] = id
		in.latest[originID] = id
	}
}

// conflict refuses an original id that came in before with another body. In an export of ours
// two messages may have one origin id (one was imported there, the other got the number from
// that store); there the id of the line tells them apart.
func (in *intake) conflict(a *arrival) error {
	id := a.OriginID()
	if id == 0 {
		return nil
	}
	if before := in.originals[origin{thread: a.ThreadID, id: id}]; len(before) > 0 && !slices.Contains(before, a.body) {
		return conflicting(a)
	}
	key := origin{thread: a.ThreadID, id: id, exported: a.Exported()}
	if a.Exported() {
		key.id = a.ID
	}
	if before, ok := in.inFile[key]; ok && before != a.body {
		return conflicting(a)
	}
	in.inFile[key] = a.body
	return nil
}

func conflicting(a *arrival) error {
	f := protocol.NewFinding(protocol.Conflict, "Line %d: message %d of thread %s came in before with another body.", a.Number,
		a.OriginID(), a.ThreadID).
		At(a.Number, 0).In("id").WithFix("Export the thread again from where it comes from, or import it under another thread id.")
	return protocol.Errorf(protocol.Conflict, "nothing was imported: %s", f.Message).WithFindings([]protocol.Finding{f})
}

func (in *intake) entry(a *arrival) mail.Entry {
	e := mail.Entry{
		Message: message.Message{
			OriginalID: a.OriginID(), ThreadID: a.ThreadID, From: a.From, To: a.To, Cc: a.Cc, Bcc: a.Bcc,
			Subject: a.Subject, Body: a.Body, CreatedAt: a.CreatedAt, AckRequired: a.ack, Importance: a.Importance,
			ReplyTo: in.local(a.ThreadID, a.ReplyTo), Intake: a.Intake,
		},
		Type: a.kind, Version: a.version, ReplyOrigin: a.ReplyTo, ArtifactHash: a.ArtifactHash,
		Imported: true, Deliveries: a.Deliveries,
	}
	// An ACK acknowledges wherever it comes from (PROTOCOL 11); an export of ours has the
	// states themselves.
	if a.kind == protocol.TypeAck && !a.Exported() {
		for _, named := range a.ackOf {
			if id := in.local(a.ThreadID, named); id != 0 {
				e.Acks = append(e.Acks, mail.Ack{Message: id, Agent: a.From})
			}
		}
	}
	return e
}

// local finds the message here that has an origin id, 0 if none has.
func (in *intake) local(thread string, originID int64) int64 {
	if originID == 0 {
		return 0
	}
	if id, ok := in.ids[origin{thread: thread, id: originID}]; ok {
		return id
	}
	return in.latest[originID]
}
