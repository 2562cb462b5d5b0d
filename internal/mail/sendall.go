package mail

import (
	"context"

	"brenner/internal/protocol"
)

// SendAll sends messages together: all of them or, if one is refused, none. Each is judged as
// if those before it were there. If all of them were sent before under their keys, the first results
// come back; a key that was used for something else fails them all (IDEMPOTENCY_CONFLICT).
func (s *Service) SendAll(ctx context.Context, all ...Outgoing) ([]Verdict, error) {
	for {
		verdicts, err := s.sendAll(ctx, all)
		if !moved(err) {
			return verdicts, err
		}
	}
}

func (s *Service) sendAll(ctx context.Context, all []Outgoing) ([]Verdict, error) {
	verdicts := make([]Verdict, len(all))
	entries := make([]Entry, len(all))
	opened := map[string]Thread{} // as the messages before have left them
	for i := range all {
		l, err := s.address(ctx, &all[i])
		if err != nil {
			return verdicts, err
		}
		before, follows := opened[l.draft.ThreadID]
		if follows {
			l.thread = before
		}
		if verdicts[i], err = s.judge(ctx, l); err != nil {
			return verdicts, err
		}
		if follows && l.entry.Follows != 0 {
			return verdicts, protocol.Errorf(protocol.InvalidInput,
				"a COMPILED holds every earlier message: it cannot be sent together with them")
		}
		if all[i].Key != "" {
			l.entry.Key, l.entry.Payload = "key:"+all[i].Key, payloadOf(&all[i])
		}
		entries[i] = l.entry
		if l.thread.Messages == 0 {
			l.thread.FirstType = verdicts[i].Type
		}
		l.thread.Messages++
		opened[l.draft.ThreadID] = l.thread
	}
	messages, err := s.store.Append(ctx, s.project.ID, s.Now(), entries...)
	if err != nil {
		return verdicts, err
	}
	for i, m := range messages {
		verdicts[i].Message = m
	}
	if last := len(verdicts) - 1; last >= 0 {
		verdicts[last].told(s.Accepted(ctx, messages...))
	}
	return verdicts, nil
}

// SentUnder returns the messages that were sent under keys, in the order of their ids.
func (s *Service) SentUnder(ctx context.Context, keys ...string) ([]Message, error) {
	stored := make([]string, len(keys))
	for i, key := range keys {
		stored[i] = "key:" + key
	}
	return s.store.Messages(ctx, MessageQuery{Project: s.project.ID, Keys: stored})
}
