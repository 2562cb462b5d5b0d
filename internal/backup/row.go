package backup

import (
	"errors"
	"time"

	"brenner/internal/canon"
	"brenner/internal/journal"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// row is one line: exactly one of its fields is set.
type row struct {
	Project     *projectRow     `json:"project,omitempty"`
	Agent       *agentRow       `json:"agent,omitempty"`
	Message     *messageRow     `json:"message,omitempty"`
	Delivery    *deliveryRow    `json:"delivery,omitempty"`
	Event       *eventRow       `json:"event,omitempty"`
	Reservation *reservationRow `json:"reservation,omitempty"`
	Note        *noteRow        `json:"note,omitempty"`

	Archived         *archivedRow `json:"archived_thread,omitempty"`
	ArchivedMessage  *messageRow  `json:"archived_message,omitempty"`
	ArchivedDelivery *deliveryRow `json:"archived_delivery,omitempty"`

	Leaf *leafRow `json:"leaf,omitempty"`

	End *footer `json:"end,omitempty"`
}

type projectRow struct {
	ID        mail.ProjectID `json:"id"`
	Slug      string         `json:"slug"`
	HumanKey  string         `json:"human_key"`
	CreatedAt instant        `json:"created_at"`
}

type agentRow struct {
	ID           mail.AgentID   `json:"id"`
	Project      mail.ProjectID `json:"project_id"`
	Name         string         `json:"name"`
	Program      string         `json:"program,omitempty"`
	Model        string         `json:"model,omitempty"`
	Task         string         `json:"task_description,omitempty"`
	InceptionAt  instant        `json:"inception_ts"`
	LastActiveAt instant        `json:"last_active_ts"`
	RetiredAt    instant        `json:"retired_ts,omitzero"`
	TokenHash    digest         `json:"token_hash,omitzero"`
}

type messageRow struct {
	ID           int64                `json:"id"`
	OriginalID   int64                `json:"original_id,omitempty"`
	Project      mail.ProjectID       `json:"project_id"`
	SenderID     mail.AgentID         `json:"sender_id"`
	ThreadID     string               `json:"thread_id,omitempty"`
	From         string               `json:"from"`
	To           []string             `json:"to,omitempty"`
	Cc           []string             `json:"cc,omitempty"`
	Bcc          []string             `json:"bcc,omitempty"`
	Subject      string               `json:"subject"`
	Body         string               `json:"body_md"`
	CreatedAt    instant              `json:"created_ts"`
	AckRequired  bool                 `json:"ack_required,omitempty"`
	Importance   message.Importance   `json:"importance"`
	ReplyTo      int64                `json:"reply_to,omitempty"`
	ReplyOrigin  int64                `json:"reply_origin,omitempty"`
	Intake       protocol.Intake      `json:"intake"`
	Type         protocol.MessageType `json:"type"`
	Version      int                  `json:"version,omitempty"`
	Imported     bool                 `json:"imported,omitempty"`
	ChainHash    digest               `json:"chain_hash"`
	ArtifactHash digest               `json:"artifact_hash,omitzero"`
	Key          string               `json:"key,omitempty"`
	Payload      digest               `json:"payload,omitzero"`
}

type deliveryRow struct {
	Message     int64          `json:"message_id"`
	Project     mail.ProjectID `json:"project_id"`
	AgentID     mail.AgentID   `json:"agent_id"`
	Agent       string         `json:"agent"`
	Kind        mail.Kind      `json:"kind"`
	DeliveredAt instant        `json:"delivered_ts,omitzero"`
	ReadAt      instant        `json:"read_ts,omitzero"`
	AckAt       instant        `json:"ack_ts,omitzero"`
	Owed        bool           `json:"owed,omitempty"`
	Urgent      bool           `json:"urgent,omitempty"`
}

type eventRow struct {
	Seq     mail.Cursor    `json:"seq"`
	Project mail.ProjectID `json:"project_id"`
	Kind    mail.EventKind `json:"kind"`
	Message int64          `json:"message_id"`
	Thread  string         `json:"thread_id,omitempty"`
	Agent   string         `json:"agent"`
	State   mail.State     `json:"state,omitempty"`
	Version int            `json:"version,omitempty"`
	At      instant        `json:"at"`
}

type reservationRow struct {
	ID        int64          `json:"id"`
	Project   mail.ProjectID `json:"project_id"`
	Agent     string         `json:"agent"`
	Path      string         `json:"path"`
	Exclusive bool           `json:"exclusive,omitempty"`
	Reason    string         `json:"reason,omitempty"`
	CreatedAt instant        `json:"created_at"`
	ExpiresAt instant        `json:"expires_at"`
	Released  instant        `json:"released_at,omitzero"`
}

type archivedRow struct {
	Project   mail.ProjectID `json:"project_id"`
	ID        string         `json:"thread_id"`
	HeadID    int64          `json:"head_id"`
	ChainHash digest         `json:"chain_hash"`
	Title     string         `json:"title"`
	Crate     string         `json:"crate"`
	SHA256    digest         `json:"sha256"`
	Through   int64          `json:"through_id"`
	By        string         `json:"archived_by"`
	At        instant        `json:"archived_at"`
}

type noteRow struct {
	Project mail.ProjectID `json:"project_id"`
	Kind    mail.NoteKind  `json:"kind"`
	Key     string         `json:"key"`
	Version int64          `json:"version"`
	Expires instant        `json:"expires_at,omitzero"`
	Data    []byte         `json:"data"`
}

// instant is a time with microseconds.
type instant struct{ time.Time }

// MarshalJSON writes the time as messages carry it.
func (t instant) MarshalJSON() ([]byte, error) {
	return []byte(`"` + mail.FormatTime(t.Time) + `"`), nil
}

// digest is a hash in hex.
type digest canon.Hash

// MarshalText implements encoding.TextMarshaler.
func (d digest) MarshalText() ([]byte, error) { return []byte(canon.Hash(d).String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *digest) UnmarshalText(text []byte) error {
	h, ok := canon.ParseHash(string(text))
	if !ok {
		return errors.New("a hash has 64 hex digits")
	}
	*d = digest(h)
	return nil
}

type leafRow struct {
	Project mail.ProjectID `json:"project_id"`
	Message int64          `json:"message"`
	Leaf    journal.Leaf   `json:"leaf"`
}
