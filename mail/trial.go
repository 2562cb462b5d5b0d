package mail

import "context"

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
