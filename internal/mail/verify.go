package mail

import (
	"context"
	"fmt"

	"brenner/internal/canon"
	"brenner/internal/protocol"
)

// Verification is the outcome of a proof.
type Verification struct {
	Messages int
	Versions int
	FirstBad *Bad             // nil: everything matches
	Claims   []protocol.Claim // what the record says and no proof covers
	Findings []protocol.Finding
	Journal  JournalProof // of a thread in a store; empty without a journal
	heard    *Testimony
}

// Holds takes what the journal says of the thread: what does not match, and which messages its leaves call imported (SCIENCE 9).
func (v *Verification) Holds(journal JournalProof, thread string) {
	v.Journal = journal
	v.Differs(journal.Last(thread), journal.Findings...)
	if v.heard == nil || len(v.heard.senders) == 0 {
		return
	}
	before := len(v.heard.Claims())
	for i := range journal.Leaves {
		if l := &journal.Leaves[i]; l.ThreadID == thread && l.Imported {
			v.heard.imported[l.Message] = true
		}
	}
	v.Claims = append(v.heard.Claims(), v.Claims[before:]...)
}

// Bad is the first message that does not match.
type Bad struct {
	Message int64
	Reason  string
}

// Differs adds what is kept beside the log and differs from it. Without anything worse it is what is bad
// about the last message of the thread.
func (v *Verification) Differs(last int64, findings ...protocol.Finding) {
	v.Findings = append(v.Findings, findings...)
	if v.FirstBad == nil && len(findings) > 0 {
		v.FirstBad = &Bad{last, findings[0].Message}
	}
}

// Code is why a thread does not verify: loss before anything else, what a finding says of the first bad message, or that the
// chain is broken.
func (v *Verification) Code() protocol.Code {
	code := protocol.ChainBroken
	for _, f := range v.Findings {
		switch {
		case f.Code == protocol.RecordLost:
			return f.Code
		case v.FirstBad != nil && (f.Message == v.FirstBad.Reason || string(f.Code)+": "+f.Message == v.FirstBad.Reason):
			code = f.Code
		}
	}
	return code
}

// Proof checks versions while a thread is walked: it gets every message in order and says
// what is wrong with it, or nothing. The fold that it takes belongs to the layer above.
type Proof interface {
	Next(m *Message) (reason string, findings []protocol.Finding)
}

// Verify recomputes the chain of a thread and, with a proof, its versions, and names the first
// message that does not match (PROTOCOL 14). proof may be nil. NOT_FOUND: no such thread.
func (s *Service) Verify(ctx context.Context, thread string, proof Proof) (Verification, error) {
	v := NewVerifier(proof)
	summary, err := s.Thread(ctx, thread)
	if err != nil {
		return Verification{}, err
	}
	if summary.Archived() {
		return s.verifyArchived(ctx, summary)
	}
	var log Thread // all that is there, also behind the first bad message
	err = s.Walk(ctx, thread, func(page []Message) error {
		answers, err := s.answered(ctx, page)
		if err != nil {
			return err
		}
		if v.senders == nil {
			if v.senders, err = s.senders(ctx); err != nil {
				return err
			}
		}
		for i := range page {
			if m := &page[i]; m.ID <= summary.HeadID { // what was sent meanwhile is not part of it
				v.next(m, answers)
				log.Extend(m)
			}
		}
		return nil
	})
	if err != nil {
		return v.Verification, err
	}
	if summary.Lost(log) {
		v.Differs(summary.HeadID, lost(summary, log))
	} else if v.FirstBad == nil {
		v.Differs(summary.HeadID, v.summary(summary)...)
	}
	v.Claims, v.heard = v.Heard.Claims(), v.Heard
	return v.Verification, nil
}

// summary compares the summary that is kept of a thread with the one that its messages give.
func (v *Verifier) summary(kept Thread) []protocol.Finding {
	var findings []protocol.Finding
	given := v.thread
	for _, part := range []struct {
		name       string
		kept, want any
	}{
		{"number of messages", kept.Messages, given.Messages}, {"last message", kept.HeadID, given.HeadID},
		{"first message", kept.FirstID, given.FirstID}, {"first type", kept.FirstType, given.FirstType},
		{"chain hash", kept.ChainHash.String(), given.ChainHash.String()}, {"latest version", kept.LatestVersion, given.LatestVersion},
		{"beginning", FormatTime(kept.CreatedAt), FormatTime(given.CreatedAt)},
		{"last change", FormatTime(kept.UpdatedAt), FormatTime(given.UpdatedAt)},
	} {
		if part.kept != part.want {
			findings = append(findings, protocol.NewFinding(protocol.KeptMismatch,
				"the thread's summary says %v for its %s, the log gives %v", part.kept, part.name, part.want))
		}
	}
	return findings
}

// Lost reports whether a summary that was kept of a thread knew messages or versions that the log no longer has (PROTOCOL 14).
func (t *Thread) Lost(log Thread) bool {
	return log.Messages < t.Messages || log.HeadID < t.HeadID || log.LatestVersion < t.LatestVersion
}

func lost(kept, log Thread) protocol.Finding {
	return protocol.NewFinding(protocol.RecordLost, "the thread's summary knew %s up to #%d and v%d; the log has %s up to #%d and v%d",
		protocol.Plural(kept.Messages, "message"), kept.HeadID, kept.LatestVersion, protocol.Plural(log.Messages, "message"), log.HeadID,
		log.LatestVersion)
}

// senders maps agents to their names; nil on another program's server, which need not say under which number it keeps
// a sender.
func (s *Service) senders(ctx context.Context) (map[AgentID]string, error) {
	if status, err := s.store.Status(ctx); err != nil || !status.Atomic {
		return nil, err
	}
	agents, err := s.Agents(ctx)
	names := make(map[AgentID]string, len(agents))
	for _, a := range agents {
		names[a.ID] = NameKey(a.Name)
	}
	return names, err
}

// answered looks up what the messages of a page answer.
func (s *Service) answered(ctx context.Context, page []Message) (map[int64]int64, error) {
	var ids []int64
	for i := range page {
		if page[i].ReplyTo != 0 {
			ids = append(ids, page[i].ReplyTo)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := s.withArchived(ctx, MessageQuery{Project: s.project.ID, IDs: ids})
	if err != nil {
		return nil, err
	}
	origins := map[int64]int64{}
	for i := range found {
		origins[found[i].ID] = found[i].OriginID()
	}
	return origins, nil
}

// Verifier walks one thread, message by message.
type Verifier struct {
	Verification
	proof   Proof
	senders map[AgentID]string // nil for lines of a file, and for another server's mail
	thread  Thread             // as the messages so far give it
	Heard   *Testimony         // what the messages claim; several threads may share one
}

// NewVerifier begins a thread. proof may be nil.
func NewVerifier(proof Proof) *Verifier { return &Verifier{proof: proof, Heard: &Testimony{}} }

// Next checks the next message of a thread that is not in a store: it names what it answers by its origin id.
func (v *Verifier) Next(m *Message) { v.next(m, nil) }

// Bad records a message that does not match, unless one before it does not.
func (v *Verifier) Bad(id int64, reason string) {
	if v.FirstBad == nil {
		v.FirstBad = &Bad{id, reason}
	}
}

// next checks one message. origins maps what stored messages answer to origin ids; nil: the messages name those.
func (v *Verifier) next(m *Message, origins map[int64]int64) {
	if v.FirstBad != nil {
		return
	}
	v.Messages++
	v.Heard.hear(m)
	if m.Type == protocol.TypeCompiled {
		v.Versions++
	}
	previous := v.thread.ChainHash // zero for messages without thread: each is a chain of its own
	if m.ThreadID != "" {
		v.thread.Extend(m)
	}
	if reason := consistent(m, previous, origins); reason != "" {
		v.Bad(m.ID, reason)
		return
	}
	if v.senders != nil && v.senders[m.SenderID] != NameKey(m.From) {
		v.Bad(m.ID, "it is recorded under another sender")
		return
	}
	if v.proof == nil || m.ThreadID == "" {
		return
	}
	reason, findings := v.proof.Next(m)
	v.Findings = append(v.Findings, findings...)
	if reason != "" {
		v.Bad(m.ID, reason)
	}
}

// consistent says what of a message does not match, or nothing.
func consistent(m *Message, previous canon.Hash, origins map[int64]int64) string {
	if ChainNext(previous, m) != m.ChainHash {
		return "it does not match its chain hash"
	}
	if m.Type != Classify(m.Subject, m.Body, m.Intake) {
		return fmt.Sprintf("it is recorded as %s, which its subject does not say", m.Type)
	}
	if m.Version != VersionOf(m.Type, &m.Message) {
		return fmt.Sprintf("it is recorded as version %d, which its text does not say", m.Version)
	}
	if origin, ok := origins[m.ReplyTo]; m.ReplyTo != 0 && origins != nil && (!ok || origin != m.ReplyOrigin) {
		return fmt.Sprintf("it is recorded as an answer to message %d, which it does not answer", m.ReplyTo)
	}
	if m.OriginalID != 0 && !m.Imported {
		return "it has an original id but is not recorded as imported"
	}
	return ""
}
