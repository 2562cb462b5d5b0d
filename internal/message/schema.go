package message

import "brenner/internal/protocol"

// Section is a section that the body of a type of message has.
type Section struct {
	Name   string
	Codes  []protocol.Code // given when the section is not as it should be; none: it is optional
	Values []string        // the closed set that its first line comes from, if it has one
	Hint   string          // what an author writes there

	rule func(*checker, Section) // how it is checked; nil: it is not
}

// Required tells whether a message without the section is refused.
func (s Section) Required() bool {
	for _, code := range s.Codes {
		if code.Info().Severity == protocol.SeverityError {
			return true
		}
	}
	return false
}

// Recommended tells whether a message without the section gets a warning.
func (s Section) Recommended() bool { return len(s.Codes) > 0 && !s.Required() }

// Schema is the shape of a type's body: its title, then its sections in order.
type Schema struct {
	Type     protocol.MessageType
	Title    string
	Sections []Section

	ack  protocol.Code  // given when ack_required is set against the type's default
	rule func(*checker) // what concerns the body as a whole; nil: nothing does
}

// Closed sets (PROTOCOL 4).
var (
	severities  = []string{"Critical", "Major", "Minor"}
	ackStatuses = []string{"Received", "Understood", "Will Action", "Completed"}
	blockTypes  = []string{"Dependency", "Question", "Resource", "External"}
	urgencies   = []string{"Blocking", "Soon", "Whenever"}
)

func need(code protocol.Code, name, hint string) Section {
	return Section{Name: name, Codes: []protocol.Code{code}, Hint: hint, rule: (*checker).present}
}

func oneOf(code protocol.Code, name string, values []string) Section {
	return Section{Name: name, Codes: []protocol.Code{code}, Values: values, rule: (*checker).oneOf}
}

func optional(name, hint string) Section { return Section{Name: name, Hint: hint} }

func (s Section) checkedBy(rule func(*checker, Section), more ...protocol.Code) Section {
	s.rule, s.Codes = rule, append(s.Codes, more...)
	return s
}

// SchemaOf returns the schema of a type.
func SchemaOf(t protocol.MessageType) Schema {
	for i := range schemas {
		if schemas[i].Type == t {
			return schemas[i]
		}
	}
	return Schema{Type: t}
}

// Schemas returns the schemas of all types, in the order of the types. This table and the
// table of codes are all there is to the simple rules; those that look closer are named in it.
func Schemas() []Schema { return schemas }

var schemas = []Schema{
	{Type: protocol.TypeKickoff, ack: protocol.MB010, rule: (*checker).kickoff, Title: "{Session or work title}", Sections: []Section{
		need(protocol.MB002, "Research Question", "The problem in one sentence").checkedBy((*checker).researchQuestion),
		need(protocol.MB003, "Context", "Two to four sentences of background").checkedBy((*checker).kickoffContext),
		need(protocol.MB101, "Excerpt", "Passages of the transcript with §n citations").checkedBy((*checker).excerpt),
		optional("Initial Hypotheses", "Seeds, if there are any"),
		optional("Constraints", "Time, scope, focus"),
		optional("Requested Outputs", "What is expected"),
	}},
	{Type: protocol.TypeDelta, ack: protocol.MB120, rule: (*checker).delta, Title: "Delta Contribution", Sections: []Section{
		optional("Deltas", "One or more delta blocks"),
	}},
	{Type: protocol.TypeCompiled, ack: protocol.MB120, rule: (*checker).compiled, Title: "Compiled Artifact v{N}", Sections: []Section{
		need(protocol.AP003, "Metadata", "Thread ID, Version, Compiled At, Compiler").checkedBy((*checker).metadata, protocol.AP101),
		optional("Summary", "What changed in this version"),
		need(protocol.MB104, "Contributors", "A row for each agent").checkedBy((*checker).contributors, protocol.AP004),
		need(protocol.AP007, "Statistics", "The counts"),
		need(protocol.AP008, "Validation Status", "Schema, linter, third alternative"),
		need(protocol.AP005, "Persistence", "Artifact Path and Status").checkedBy((*checker).artifactPath),
		need(protocol.AP006, "Full Artifact", "The artifact, or a link to it").checkedBy((*checker).fullArtifact),
	}},
	{Type: protocol.TypeCritique, ack: protocol.MB118, rule: (*checker).critique, Title: "Critique: {title}", Sections: []Section{
		need(protocol.MB006, "Target", "The item and version attacked"),
		need(protocol.MB007, "Attack", "The challenge"),
		optional("Evidence", "Why it should be taken seriously"),
		optional("Proposed Resolution", "A fix or an investigation"),
		oneOf(protocol.MB105, "Severity", severities),
	}},
	{Type: protocol.TypeAck, ack: protocol.MB009, rule: (*checker).ackReferences, Title: "Acknowledgement", Sections: []Section{
		need(protocol.MB107, "Message ID", "The number of the message").checkedBy((*checker).messageID),
		oneOf(protocol.MB106, "Status", ackStatuses),
		optional("Notes", "Anything else"),
	}},
	{Type: protocol.TypeClaim, ack: protocol.MB120, Title: "Work Claim", Sections: []Section{
		need(protocol.MB108, "Item", "The bead or the task").checkedBy((*checker).item),
		need(protocol.MB109, "Agent", "The agent's name").checkedBy((*checker).claimant),
		optional("Estimated Duration", "Until when"),
		optional("Approach", "How"),
	}},
	{Type: protocol.TypeHandoff, ack: protocol.MB119, Title: "Work Handoff", Sections: []Section{
		need(protocol.MB110, "Item", "The bead or the task").checkedBy((*checker).item),
		need(protocol.MB008, "From", "The agent who gives").checkedBy((*checker).party),
		need(protocol.MB008, "To", "The agent who takes").checkedBy((*checker).party),
		optional("Reason", "Why"),
		need(protocol.MB112, "State", "What is done and what is not"),
		optional("Files Modified", "Files touched so far"),
		optional("Next Steps", "What comes next"),
	}},
	{Type: protocol.TypeBlocked, ack: protocol.MB012, Title: "Work Blocked", Sections: []Section{
		need(protocol.MB113, "Item", "The bead or the task").checkedBy((*checker).item),
		need(protocol.MB114, "Blocker", "What stands in the way"),
		oneOf(protocol.MB115, "Type", blockTypes),
		optional("Attempted", "What was tried"),
		optional("Needed", "What would help"),
	}},
	{Type: protocol.TypeQuestion, ack: protocol.MB011, Title: "Question", Sections: []Section{
		optional("Context", "Background"),
		need(protocol.MB116, "Question", "The question"),
		optional("Options", "Possible answers"),
		optional("Impact", "What depends on it"),
		oneOf(protocol.MB117, "Urgency", urgencies),
	}},
	{Type: protocol.TypeInfo, ack: protocol.MB120, Title: "Information"},
}
