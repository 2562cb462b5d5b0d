package mail

import (
	"context"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Judge says what the door would say about a message now, and sends nothing. The error is the
// one that Send would return.
func (s *Service) Judge(ctx context.Context, out Outgoing) (Verdict, error) {
	l, err := s.address(ctx, &out)
	if err != nil {
		return Verdict{}, err
	}
	return s.judge(ctx, l)
}

// JudgeReply is Judge for an answer to a message, completed as Reply does.
func (s *Service) JudgeReply(ctx context.Context, id int64, prefix string, out Outgoing) (Verdict, error) {
	out, err := s.completeReply(ctx, id, prefix, out)
	if err != nil {
		return Verdict{}, err
	}
	return s.Judge(ctx, out)
}

// JudgeDraft says what the door would say about a text that may have neither sender nor recipients yet. Without
// a thread it is judged as enforced (PROTOCOL 3). A thread that its author may not read counts as one that is
// not there.
func (s *Service) JudgeDraft(ctx context.Context, access Access, d message.Draft) (message.Report, error) {
	l := &candidate{draft: d, access: access, thread: Thread{Project: s.project.ID, ID: d.ThreadID}, agents: map[string]Agent{}}
	if d.From != "" {
		found, err := s.store.Agents(ctx, s.project.ID, d.From)
		if err != nil {
			return message.Report{}, err
		}
		for _, a := range found {
			l.agents[NameKey(a.Name)] = a
		}
	}
	err := access.CheckThread(ctx, d.ThreadID)
	if err == nil {
		l.thread, err = threadOf(ctx, s.store, s.project.ID, d.ThreadID)
	}
	if err != nil && protocol.CodeOf(err) != protocol.NotFound {
		return message.Report{}, err
	}
	intake := protocol.Lenient
	if d.ThreadID == "" || l.enforced() {
		intake = protocol.Strict
	}
	report, _, err := s.examine(ctx, l, intake)
	return report, err
}
