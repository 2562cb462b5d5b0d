package api

import (
	"context"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// messageView is a message with what the project recorded about it.
type messageView struct {
	mail.Object
	Type    protocol.MessageType `json:"type"`
	Version *int                 `json:"version"` // that a COMPILED publishes; null for others
}

// views shows messages as the caller sees them: with the state of its own deliveries.
func (a *API) views(ctx context.Context, who Caller, found []mail.Message) ([]messageView, error) {
	list := make([]messageView, len(found))
	if len(found) == 0 {
		return list, nil
	}
	ids := make([]int64, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	m := a.deps.Sessions.Mail()
	received, err := m.Store().Deliveries(ctx, mail.DeliveryQuery{Project: m.Project().ID, Messages: ids, Agent: who.viewer()})
	if err != nil && protocol.CodeOf(err) != protocol.UnknownAgent {
		return nil, err
	}
	own := make(map[int64]*mail.Delivery, len(received))
	for i := range received {
		own[received[i].Message] = &received[i]
	}
	for i := range found {
		list[i] = newMessageView(&found[i], own[found[i].ID], who.viewer())
	}
	return list, nil
}

func newMessageView(m *mail.Message, delivery *mail.Delivery, viewer string) messageView {
	v := messageView{Object: mail.NewObject(m, delivery, viewer), Type: m.Type}
	if m.Version > 0 {
		v.Version = &m.Version
	}
	return v
}

type messagePath struct {
	ID int64 `path:"id"`
}

type messageAnswer struct {
	Message messageView `json:"message"`
}

func (a *API) showMessage(ctx context.Context, who Caller, in messagePath) (messageAnswer, error) {
	found, err := a.deps.Sessions.Mail().Message(ctx, in.ID)
	if err != nil {
		return messageAnswer{}, err
	}
	list, err := a.views(ctx, who, []mail.Message{found})
	if err != nil {
		return messageAnswer{}, err
	}
	return messageAnswer{list[0]}, nil
}

type inboxQuery struct {
	Agent   string   `path:"agent"`
	Unread  bool     `query:"unread" about:"only what was not read"`
	Urgent  bool     `query:"urgent" about:"only importance high and urgent"`
	Owed    bool     `query:"owed" about:"only what is to be acknowledged"`
	Overdue bool     `query:"overdue" about:"only what should have been acknowledged by now"`
	Thread  string   `query:"thread" about:"only this thread"`
	Type    []string `query:"type" about:"only these types of message"`
	Before  int64    `query:"before" about:"ids less than"`
	Limit   int      `query:"limit" about:"how many; 50 unless said, 500 at most"`
}

type inbox struct {
	Agent    string        `json:"agent"`
	Count    int           `json:"count"`
	Messages []messageView `json:"messages"`
	Overdue  []int64       `json:"overdue"` // ids among all of the agent's mail that should have been acknowledged by now
	More     bool          `json:"more"`
}

// showInbox is for people who look over an agent's shoulder: unlike the agent's own fetching it does
// not even count as delivery.
func (a *API) showInbox(ctx context.Context, who Caller, in inboxQuery) (inbox, error) {
	if err := who.mayRead(in.Agent); err != nil {
		return inbox{}, err
	}
	m := a.deps.Sessions.Mail()
	agent, err := m.Agent(ctx, in.Agent)
	if err != nil {
		return inbox{}, err
	}
	q := mail.InboxQuery{
		Project: m.Project().ID, Agent: agent.Name, Thread: in.Thread, Unread: in.Unread, Urgent: in.Urgent,
		Owed: in.Owed || in.Overdue, Before: in.Before, Limit: pageSize(in.Limit) + 1,
	}
	if q.Types, err = messageTypes(in.Type); err != nil {
		return inbox{}, err
	}
	pending, err := m.Pending(ctx, mail.PendingQuery{Agent: agent.Name, Overdue: true})
	if err != nil {
		return inbox{}, err
	}
	box := inbox{Agent: agent.Name, Messages: []messageView{}, Overdue: []int64{}}
	late := map[int64]bool{}
	for _, p := range pending {
		box.Overdue = append(box.Overdue, p.Message.ID)
		late[p.Message.ID] = true
	}
	if in.Overdue {
		q.Limit = 0 // which are late is decided below
	}
	received, err := m.Inbox(ctx, q)
	if err != nil {
		return inbox{}, err
	}
	for i := range received {
		if in.Overdue && !late[received[i].Message.ID] {
			continue
		}
		if len(box.Messages) == pageSize(in.Limit) {
			box.More = true
			break
		}
		box.Messages = append(box.Messages, newMessageView(&received[i].Message, &received[i].Delivery, agent.Name))
	}
	box.Count = len(box.Messages)
	return box, nil
}

type searchQuery struct {
	Q      string   `query:"q" about:"words, \"phrases\", AND, OR, NOT, prefix*"`
	Type   []string `query:"type" about:"only these types of message"`
	Thread string   `query:"thread" about:"only this thread"`
	Limit  int      `query:"limit" about:"how many; 50 unless said, 500 at most"`
}

type searchResult struct {
	Agent    string        `json:"agent"`
	Count    int           `json:"count"`
	Messages []messageView `json:"messages"`
}

func (a *API) search(ctx context.Context, who Caller, in searchQuery) (searchResult, error) {
	types, err := messageTypes(in.Type)
	if err != nil {
		return searchResult{}, err
	}
	found, err := a.deps.Access(ctx).Search(ctx, in.Q, mail.SearchQuery{Thread: in.Thread, Types: types, Limit: pageSize(in.Limit)})
	if err != nil {
		return searchResult{}, err
	}
	list, err := a.views(ctx, who, found)
	return searchResult{who.viewer(), len(list), list}, err
}
