package web

import (
	"maps"
	"slices"
	"time"

	"brenner/internal/protocol"
)

func (e mailEntry) key(k *partKey) {
	k.number(e.ID, e.ReplyTo)
	k.text(e.ThreadID, string(e.Type), e.From, string(e.Importance), e.Headline, e.Verb, e.Artifact, e.Diff)
	k.time(e.CreatedAt)
	k.flag(e.Imported, e.Source)
	k.agent(e.By)
	k.count(e.Version, e.MoreBlocks, len(e.Findings), e.MoreNotes, e.MoreNames, e.Errors, len(e.Replies))
	k.number(e.Replies...)
	keys(k, e.Cards)
	keyOf(k, e.Moved)
	e.Body.key(k)
	keys(k, e.Blocks)
	k.findings(e.Notes)
	keys(k, e.Recipients)
}

func (k *partKey) findings(list []protocol.Finding) {
	k.count(len(list))
	for i := range list {
		f := &list[i]
		k.text(string(f.Severity), string(f.Code), f.Message, f.Item, f.Fix)
		k.count(f.Line)
	}
}

func (c changeCard) key(k *partKey) {
	k.text(c.Verb, c.ID, c.Name, c.Href, string(c.Text), string(c.Rationale))
	keys(k, c.Edits)
	keys(k, c.Overruled)
}

func (o overruled) key(k *partKey) { k.text(o.Label, o.Text, o.Against) }

func (m movedView) key(k *partKey) { k.text(string(m.Before), string(m.After)) }

func (b bodyText) key(k *partKey) {
	k.text(b.Shown)
	k.count(b.Size, b.Left, b.below, len(b.refs))
	k.flag(b.Long)
	for _, name := range slices.Sorted(maps.Keys(b.refs)) {
		link := b.refs[name]
		k.text(name, link.Name, link.Href)
		k.flag(link.Killed)
	}
}

func (b blockLine) key(k *partKey) {
	k.flag(b.Accepted)
	k.count(b.Index, b.Line)
	k.text(b.Operation, b.TargetID)
	k.findings(b.Findings)
}

func (r recipientLine) key(k *partKey) {
	k.text(r.Agent, r.Label, r.Word)
	k.count(int(r.State()))
	at, shown := r.At.(time.Time)
	k.flag(shown)
	k.time(at)
}

func (e inboxEntry) key(k *partKey) {
	e.mailEntry.key(k)
	k.flag(e.Unread, e.Owed, e.Overdue, e.Critique, e.Lab)
	k.number(e.Settled)
	k.text(string(e.Delivery.Kind), e.Owner, e.Re)
	k.time(e.Deadline)
	k.time(e.Delivery.AckAt)
	k.time(e.Delivery.ReadAt)
}

func (r sessionRow) key(k *partKey) {
	k.text(r.ThreadID, string(r.Phase), r.Question, r.UpdatedAt, ago(r.UpdatedAt, k.now), string(r.Persistence.State))
	k.count(r.Round, r.LatestVersion, r.PendingDeltas, len(r.OpenCritiques), r.Acks.Acknowledged, r.Acks.Required, r.Messages, r.Overdue, r.Errors, r.Missing)
	keys(k, r.Crew)
}

func (m member) key(k *partKey) {
	k.agent(m.By)
	k.text(m.Role, string(m.State), m.Reason)
}

func (h hit) key(k *partKey) {
	k.number(h.ID)
	k.text(h.ThreadID, string(h.Type), h.From)
	k.time(h.CreatedAt)
	k.agent(h.By)
	keys(k, h.Title)
	keys(k, h.Snippet)
}

func (p piece) key(k *partKey) {
	k.text(p.Text)
	k.flag(p.Hit)
}
