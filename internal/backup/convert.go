package backup

import (
	"errors"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/message"
)

func newRow(r mail.Record) row {
	switch {
	case r.Project != nil:
		p := r.Project
		return row{Project: &projectRow{p.ID, p.Slug, p.HumanKey, instant{p.CreatedAt}}}
	case r.Agent != nil:
		a := r.Agent
		return row{Agent: &agentRow{
			a.ID, a.Project, a.Name, a.Program, a.Model, a.Task,
			instant{a.InceptionAt}, instant{a.LastActiveAt}, instant{a.RetiredAt}, digest(a.TokenHash),
		}}
	case r.Message != nil:
		return row{Message: newMessageRow(r.Message)}
	case r.Delivery != nil:
		return row{Delivery: newDeliveryRow(r.Delivery)}
	case r.Archived != nil:
		a := r.Archived
		return row{Archived: &archivedRow{
			a.Project, a.ID, a.HeadID, digest(a.ChainHash), a.Title, a.Crate, digest(a.SHA256), a.Through, a.By, instant{a.At},
		}}
	case r.ArchivedMessage != nil:
		return row{ArchivedMessage: newMessageRow(r.ArchivedMessage)}
	case r.ArchivedDelivery != nil:
		return row{ArchivedDelivery: newDeliveryRow(r.ArchivedDelivery)}
	case r.Event != nil:
		e := r.Event
		return row{Event: &eventRow{e.Seq, e.Project, e.Kind, e.Message, e.Thread, e.Agent, e.State, e.Version, instant{e.At}}}
	case r.Reservation != nil:
		v := r.Reservation
		return row{Reservation: &reservationRow{
			v.ID, v.Project, v.Agent, v.Path, v.Exclusive, v.Reason,
			instant{v.CreatedAt}, instant{v.ExpiresAt}, instant{v.Released},
		}}
	case r.Note != nil:
		n := r.Note
		return row{Note: &noteRow{n.Project, n.Kind, n.Key, n.Version, instant{n.Expires}, n.Data}}
	case r.Leaf != nil:
		return row{Leaf: &leafRow{r.Leaf.Project, r.Leaf.Message, r.Leaf.Leaf}}
	}
	return row{}
}

func newMessageRow(m *mail.Message) *messageRow {
	return &messageRow{
		m.ID, m.OriginalID, m.Project, m.SenderID, m.ThreadID, m.From, m.To, m.Cc, m.Bcc, m.Subject, m.Body,
		instant{m.CreatedAt}, m.AckRequired, m.Importance, m.ReplyTo, m.ReplyOrigin, m.Intake, m.Type, m.Version, m.Imported,
		digest(m.ChainHash), digest(m.ArtifactHash), m.Key, digest(m.Payload),
	}
}

func (r row) record() (mail.Record, error) {
	switch {
	case r.Project != nil:
		p := r.Project
		return mail.Record{Project: &mail.Project{ID: p.ID, Slug: p.Slug, HumanKey: p.HumanKey, CreatedAt: p.CreatedAt.Time}}, nil
	case r.Agent != nil:
		a := r.Agent
		return mail.Record{Agent: &mail.Agent{
			ID: a.ID, Project: a.Project, Name: a.Name, Program: a.Program, Model: a.Model, Task: a.Task,
			InceptionAt: a.InceptionAt.Time, LastActiveAt: a.LastActiveAt.Time, RetiredAt: a.RetiredAt.Time,
			TokenHash: canon.Hash(a.TokenHash),
		}}, nil
	case r.Message != nil:
		return mail.Record{Message: r.Message.message()}, nil
	case r.Delivery != nil:
		return mail.Record{Delivery: r.Delivery.delivery()}, nil
	case r.Archived != nil:
		a := r.Archived
		return mail.Record{Archived: &mail.ArchivedThread{
			Project: a.Project, ID: a.ID, HeadID: a.HeadID, ChainHash: canon.Hash(a.ChainHash), Title: a.Title,
			Crate: a.Crate, SHA256: canon.Hash(a.SHA256), Through: a.Through, By: a.By, At: a.At.Time,
		}}, nil
	case r.ArchivedMessage != nil:
		return mail.Record{ArchivedMessage: r.ArchivedMessage.message()}, nil
	case r.ArchivedDelivery != nil:
		return mail.Record{ArchivedDelivery: r.ArchivedDelivery.delivery()}, nil
	case r.Event != nil:
		e := r.Event
		return mail.Record{Event: &mail.Event{
			Seq: e.Seq, Project: e.Project, Kind: e.Kind, Message: e.Message, Thread: e.Thread, Agent: e.Agent,
			State: e.State, Version: e.Version, At: e.At.Time,
		}}, nil
	case r.Reservation != nil:
		v := r.Reservation
		return mail.Record{Reservation: &mail.Reservation{
			ID: v.ID, Project: v.Project, Agent: v.Agent, Path: v.Path, Exclusive: v.Exclusive, Reason: v.Reason,
			CreatedAt: v.CreatedAt.Time, ExpiresAt: v.ExpiresAt.Time, Released: v.Released.Time,
		}}, nil
	case r.Note != nil:
		n := r.Note
		return mail.Record{Note: &mail.NoteRow{Project: n.Project,
			Note: mail.Note{Kind: n.Kind, Key: n.Key, Version: n.Version, Expires: n.Expires.Time, Data: n.Data}}}, nil
	case r.Leaf != nil:
		return mail.Record{Leaf: &mail.LeafRow{Project: r.Leaf.Project, Message: r.Leaf.Message, Leaf: r.Leaf.Leaf}}, nil
	}
	return mail.Record{}, errors.New("the record is empty")
}

func (r *messageRow) message() *mail.Message {
	return &mail.Message{
		Message: message.Message{
			ID: r.ID, OriginalID: r.OriginalID, ThreadID: r.ThreadID, From: r.From, To: r.To, Cc: r.Cc, Bcc: r.Bcc,
			Subject: r.Subject, Body: r.Body, CreatedAt: r.CreatedAt.Time, AckRequired: r.AckRequired,
			Importance: r.Importance, ReplyTo: r.ReplyTo, Intake: r.Intake, Imported: r.Imported,
		},
		Project: r.Project, SenderID: r.SenderID, Type: r.Type, Version: r.Version,
		ReplyOrigin: r.ReplyOrigin, ChainHash: canon.Hash(r.ChainHash), ArtifactHash: canon.Hash(r.ArtifactHash),
		Key: r.Key, Payload: canon.Hash(r.Payload),
	}
}

func newDeliveryRow(d *mail.DeliveryRow) *deliveryRow {
	return &deliveryRow{
		d.Message, d.Project, d.AgentID, d.Agent, d.Kind,
		instant{d.DeliveredAt}, instant{d.ReadAt}, instant{d.AckAt}, d.Owed, d.Urgent,
	}
}

func (r *deliveryRow) delivery() *mail.DeliveryRow {
	return &mail.DeliveryRow{
		Delivery: mail.Delivery{
			Message: r.Message, Agent: r.Agent, Kind: r.Kind,
			DeliveredAt: r.DeliveredAt.Time, ReadAt: r.ReadAt.Time, AckAt: r.AckAt.Time,
		},
		Project: r.Project, AgentID: r.AgentID, Owed: r.Owed, Urgent: r.Urgent,
	}
}
