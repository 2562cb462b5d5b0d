package api

import (
	"context"
	"slices"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// The sizes of a page.
const (
	defaultPage = 50
	maxPage     = 500
)

func pageSize(asked int) int {
	if asked == 0 {
		return defaultPage
	}
	return min(asked, maxPage)
}

type sessionsQuery struct {
	Phase  []string `query:"phase" about:"only sessions in one of these phases"`
	Agent  string   `query:"agent" about:"only sessions that this agent has a role in"`
	Q      string   `query:"q" about:"only sessions whose question, id or agents contain this"`
	Offset int      `query:"offset" about:"how many to pass over: next says it for the next page"`
	Limit  int      `query:"limit" about:"how many; 50 unless said, 500 at most"`
}

type sessionList struct {
	Sessions []session.Summary `json:"sessions"`
	Matching int               `json:"matching"` // on all pages
	Next     *int              `json:"next"`     // offset of the next page; null: this is the last
}

func (a *API) listSessions(ctx context.Context, _ Caller, q sessionsQuery) (sessionList, error) {
	readable, err := a.deps.Access(ctx).ThreadSet(ctx)
	if err != nil {
		return sessionList{}, err
	}
	all, err := a.deps.Sessions.Overview(ctx, session.OverviewQuery{Text: q.Q, Threads: readable})
	if err != nil {
		return sessionList{}, err
	}
	list := sessionList{Sessions: []session.Summary{}}
	for _, status := range all.Sessions {
		if !q.matches(status) {
			continue
		}
		if list.Matching >= q.Offset && len(list.Sessions) < pageSize(q.Limit) {
			list.Sessions = append(list.Sessions, status)
		}
		list.Matching++
	}
	if next := q.Offset + len(list.Sessions); len(list.Sessions) > 0 && next < list.Matching {
		list.Next = &next
	}
	return list, nil
}

func (q *sessionsQuery) matches(s session.Summary) bool {
	if len(q.Phase) > 0 && !slices.Contains(q.Phase, string(s.Phase)) {
		return false
	}
	return q.Agent == "" || takesPart(s, q.Agent)
}

func takesPart(s session.Summary, agent string) bool {
	for _, work := range s.Roles {
		if slices.ContainsFunc(work.Agents, func(name string) bool { return protocol.SameAgent(name, agent) }) {
			return true
		}
	}
	return false
}

type messagesQuery struct {
	Thread string   `path:"thread"`
	Type   []string `query:"type" about:"only these types of message"`
	After  int64    `query:"after" about:"ids greater than"`
	Before int64    `query:"before" about:"ids less than"`
	Order  string   `query:"order" about:"oldest or newest first; oldest unless said" choices:"oldest,newest"`
	Limit  int      `query:"limit" about:"how many; 50 unless said, 500 at most"`
}

type messageList struct {
	ThreadID string        `json:"thread_id"`
	Messages []messageView `json:"messages"`
	More     bool          `json:"more"` // there are further ones in this direction
}

func (a *API) listMessages(ctx context.Context, who Caller, in messagesQuery) (messageList, error) {
	m := a.deps.Sessions.Mail()
	q := mail.MessageQuery{
		Project: m.Project().ID, Thread: in.Thread, After: in.After, Before: in.Before, Limit: pageSize(in.Limit) + 1,
	}
	var err error
	if q.Types, err = messageTypes(in.Type); err != nil {
		return messageList{}, err
	}
	switch in.Order {
	case "", "oldest":
	case "newest":
		q.Order = mail.NewestFirst
	default:
		return messageList{}, protocol.Errorf(protocol.Usage, "there is no order %q, only oldest and newest", protocol.Brief(in.Order))
	}
	if _, err := m.Thread(ctx, in.Thread); err != nil {
		return messageList{}, err
	}
	found, err := m.Store().Messages(ctx, q)
	if err != nil {
		return messageList{}, err
	}
	list := messageList{ThreadID: in.Thread, More: len(found) == q.Limit}
	list.Messages, err = a.views(ctx, who, found[:min(len(found), q.Limit-1)])
	return list, err
}

// messageTypes reads a list of message types.
func messageTypes(names []string) ([]protocol.MessageType, error) {
	var types []protocol.MessageType
	for _, name := range names {
		t, ok := protocol.ParseMessageType(strings.ToUpper(name))
		if !ok {
			return nil, protocol.Errorf(protocol.Usage, "%q is no type of message; types are %v", protocol.Brief(name),
				protocol.MessageTypes())
		}
		types = append(types, t)
	}
	return types, nil
}
