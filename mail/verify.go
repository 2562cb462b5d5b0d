package mail

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"brenner/canon"
	"brenner/protocol"
)

// Verification is the outcome of a proof.
type Verification struct {
	Messages int
	Versions int
	FirstBad *Bad // nil: everything matches
	Findings []protocol.Finding
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

// Proof checks versions while a thread is walked: it gets every message in order and says
// what is wrong with it, or nothing. The fold that it takes belongs to the layer above.
type Proof interface {
	Next(m *Message) (reason string, findings []protocol.Finding)
}

// Verify recomputes the chain of a thread and, with a proof, its versions, and names the first
// message that does not match (PROTOCOL 14). proof may be nil. NOT_FOUND: no such thread.
func (s *Service) Verify(ctx context.Context, thread string, proof Proof) (Verification, error) {
	v := verifier{proof: proof}
	summary, err := s.Thread(ctx, thread)
	if err != nil {
		return Verification{}, err
	}
	err = s.walk(ctx, thread, func(page []Message) error {
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
			}
		}
		if v.FirstBad != nil {
			return errFirstBad
		}
		return nil
	})
	if err != nil && !errors.Is(err, errFirstBad) {
		return v.Verification, err
	}
	if v.FirstBad == nil {
		v.Differs(summary.HeadID, v.summary(summary)...)
	}
	return v.Verification, nil
}

// summary compares the summary that is kept of a thread with the one that its messages give.
func (v *verifier) summary(kept Thread) []protocol.Finding {
	var findings []protocol.Finding
	given := v.thread
	for _, part := range []struct {
		name       string
		kept, want any
	}{
		{"number of messages", kept.Messages, given.Messages}, {"last message", kept.HeadID, given.HeadID},
		{"first message", kept.FirstID, given.FirstID}, {"first type", kept.FirstType, given.FirstType},
		{"chain hash", kept.ChainHash.String(), given.ChainHash.String()}, {"latest version", kept.LatestVersion, given.LatestVersion},
		{"beginning", FormatTime(kept.CreatedAt), FormatTime(given.CreatedAt)}, {"last change", FormatTime(kept.UpdatedAt), FormatTime(given.UpdatedAt)},
	} {
		if part.kept != part.want {
			findings = append(findings, protocol.NewFinding(protocol.KeptMismatch,
				"the thread's summary says %v for its %s, the log gives %v", part.kept, part.name, part.want))
		}
	}
	return findings
}

var errFirstBad = errors.New("the first bad message was found")

// senders maps agents to their names.
func (s *Service) senders(ctx context.Context) (map[AgentID]string, error) {
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
	found, err := s.store.Messages(ctx, MessageQuery{Project: s.project.ID, IDs: ids})
	if err != nil {
		return nil, err
	}
	origins := map[int64]int64{}
	for i := range found {
		origins[found[i].ID] = found[i].OriginID()
	}
	return origins, nil
}

// verifier walks one thread.
type verifier struct {
	Verification
	proof   Proof
	senders map[AgentID]string // nil for lines of a file
	thread  Thread             // as the messages so far give it
}

func (v *verifier) bad(id int64, reason string) {
	if v.FirstBad == nil {
		v.FirstBad = &Bad{id, reason}
	}
}

// next checks one message. origins maps what stored messages answer to origin ids; it is nil
// for lines of a file, whose answers are origin ids already.
func (v *verifier) next(m *Message, origins map[int64]int64) {
	if v.FirstBad != nil {
		return
	}
	v.Messages++
	if m.Type == protocol.TypeCompiled {
		v.Versions++
	}
	previous := v.thread.ChainHash // zero for messages without thread: each is a chain of its own
	if m.ThreadID != "" {
		v.thread.Extend(m)
	}
	if reason := consistent(m, previous, origins); reason != "" {
		v.bad(m.ID, reason)
		return
	}
	if v.senders != nil && v.senders[m.SenderID] != NameKey(m.From) {
		v.bad(m.ID, "it is recorded under another sender")
		return
	}
	if v.proof == nil || m.ThreadID == "" {
		return
	}
	reason, findings := v.proof.Next(m)
	v.Findings = append(v.Findings, findings...)
	if reason != "" {
		v.bad(m.ID, reason)
	}
}

// consistent says what of a message does not match, or nothing.
func consistent(m *Message, previous canon.Hash, origins map[int64]int64) string {
	if ChainNext(previous, m) != m.ChainHash {
		return "it does not match its chain hash"
	}
	if m.Type != classify(m.Subject, m.Body, m.Intake) {
		return fmt.Sprintf("it is recorded as %s, which its subject does not say", m.Type)
	}
	if m.Version != versionOf(m.Type, &m.Message) {
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

// VerifyLines is Verify for the lines of an export. newProof makes the proof of each thread; it
// may be nil. A line without a chain hash beside others that have one is bad. NOT_VERIFIABLE: no line has one.
func VerifyLines(lines []Line, newProof func(thread string) Proof) (Verification, error) {
	if !slices.ContainsFunc(lines, func(l Line) bool { return l.Exported() }) {
		f := protocol.NewFinding(protocol.NotVerifiable, "None of %d lines carries a chain hash.", len(lines)).
			WithFix("Export the thread with brenner thread export.")
		return Verification{Messages: len(lines), Findings: []protocol.Finding{f}},
			protocol.Errorf(protocol.NotVerifiable, "nothing can be verified: none of %d lines carries a chain hash", len(lines))
	}
	threads := map[string]*verifier{}
	var total Verification
	for i := range lines {
		l := &lines[i]
		v := threads[l.ThreadID]
		if v == nil {
			v = &verifier{}
			if newProof != nil && l.ThreadID != "" {
				v.proof = newProof(l.ThreadID)
			}
			threads[l.ThreadID] = v
		}
		m := l.stored()
		before := v.Verification
		if l.Exported() {
			v.next(&m, nil)
		} else {
			v.bad(m.ID, fmt.Sprintf("line %d has no chain hash, others have one", l.Number))
		}
		total.Messages += v.Messages - before.Messages
		total.Versions += v.Versions - before.Versions
		total.Findings = append(total.Findings, v.Findings[len(before.Findings):]...)
		if v.FirstBad != nil {
			total.FirstBad = v.FirstBad
			return total, nil
		}
	}
	return total, nil
}

// stored returns the line as a message that a store would hold under the same id.
func (l *Line) stored() Message {
	m := Message{Message: l.Message(), ReplyOrigin: l.ReplyTo, ChainHash: l.ChainHash, ArtifactHash: l.ArtifactHash}
	m.Type = classify(l.Subject, l.Body, l.Intake)
	m.Version = versionOf(m.Type, &m.Message)
	return m
}

// CheckChain says where an export was changed after it was written. Such lines can be
// imported all the same, but not silently.
func CheckChain(lines []Line) []protocol.Finding {
	chains := map[string]canon.Hash{}
	broken := map[string]bool{}
	var findings []protocol.Finding
	for i := range lines {
		l := &lines[i]
		if !l.Exported() || broken[l.ThreadID] {
			continue
		}
		m := l.stored()
		previous := chains[l.ThreadID]
		if l.ThreadID == "" {
			previous = canon.Hash{}
		}
		if ChainNext(previous, &m) != l.ChainHash {
			broken[l.ThreadID] = true
			findings = append(findings, protocol.NewFinding(protocol.ChainBroken,
				"Line %d does not match its chain hash: the file was changed after its export.", l.Number).
				Lowered().At(l.Number, 0))
		}
		chains[l.ThreadID] = l.ChainHash
	}
	return findings
}
