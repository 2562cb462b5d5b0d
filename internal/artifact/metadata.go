package artifact

import (
	"encoding/json"
	"time"

	"brenner/internal/protocol"
)

// The states of an artifact (PROTOCOL 8): draft before v1, active, closed after completion.
const (
	StatusDraft  = "draft"
	StatusActive = "active"
	StatusClosed = "closed"
)

// Statuses returns the states of an artifact, in order.
func Statuses() []string { return []string{StatusDraft, StatusActive, StatusClosed} }

// Metadata is the front matter of an artifact (PROTOCOL 8). A zero field is absent: times
// that are zero, message ids that are 0 and empty strings are not written.
type Metadata struct {
	SessionID          string
	Version            int // 0 before v1
	Status             string
	CreatedAt          time.Time // of the first message
	UpdatedAt          time.Time // of the last folded message
	CompiledAt         time.Time // of the COMPILED message
	CompiledBy         string
	Contributors       []string // shorthands, by first contribution
	ContributorDetails []ContributorDetail
	Roster             *protocol.Roster // nil without one
	ArtifactHash       string
	ResearchProgram    string
	AgentMailMessageID int64  // the COMPILED message; in the persisted file only
	ChainHash          string // of the COMPILED message; in the persisted file only
}

// ContributorDetail says who is behind a shorthand, and how many deltas came from there.
type ContributorDetail struct {
	Agent     string
	Shorthand string
	Role      string // empty for an agent outside the roster
	Program   string
	Model     string
	Deltas    int // accepted blocks
}

// Document is an artifact with its front matter: what a file holds and `artifact show`
// prints.
type Document struct {
	Metadata Metadata
	Artifact *Artifact
}

// MarshalJSON writes {metadata, sections} as `artifact show` prints them.
func (d Document) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Metadata Metadata  `json:"metadata"`
		Sections *Artifact `json:"sections"`
	}{d.Metadata, d.Artifact})
}

type metadataJSON struct {
	SessionID          *string             `json:"session_id"`
	Version            int                 `json:"version"`
	Status             *string             `json:"status"`
	CreatedAt          *string             `json:"created_at"`
	UpdatedAt          *string             `json:"updated_at"`
	CompiledAt         *string             `json:"compiled_at"`
	CompiledBy         *string             `json:"compiled_by"`
	Contributors       []string            `json:"contributors"`
	ContributorDetails []ContributorDetail `json:"contributor_details"`
	Roster             *protocol.Roster    `json:"roster"`
	ArtifactHash       *string             `json:"artifact_hash"`
	ResearchProgram    *string             `json:"research_program"`
	AgentMailMessageID *int64              `json:"agent_mail_message_id"`
	ChainHash          *string             `json:"chain_hash"`
}

// MarshalJSON writes every key of the front matter; what is absent is null or empty.
func (m Metadata) MarshalJSON() ([]byte, error) {
	if m.Roster != nil {
		roster := m.Roster.WithDefaults()
		m.Roster = &roster
	}
	return json.Marshal(metadataJSON{
		SessionID: given(m.SessionID), Version: m.Version, Status: given(m.Status),
		CreatedAt: instant(m.CreatedAt), UpdatedAt: instant(m.UpdatedAt),
		CompiledAt: instant(m.CompiledAt), CompiledBy: given(m.CompiledBy),
		Contributors:       append([]string{}, m.Contributors...),
		ContributorDetails: append([]ContributorDetail{}, m.ContributorDetails...),
		Roster:             m.Roster, ArtifactHash: given(m.ArtifactHash),
		ResearchProgram:    given(m.ResearchProgram),
		AgentMailMessageID: given(m.AgentMailMessageID), ChainHash: given(m.ChainHash),
	})
}

// MarshalJSON writes every key; what is absent is null.
func (c ContributorDetail) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Agent     string  `json:"agent"`
		Shorthand *string `json:"shorthand"`
		Role      *string `json:"role"`
		Program   *string `json:"program"`
		Model     *string `json:"model"`
		Deltas    int     `json:"deltas"`
	}{c.Agent, given(c.Shorthand), given(c.Role), given(c.Program), given(c.Model), c.Deltas})
}

func given[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func instant(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := FormatTime(t)
	return &text
}
