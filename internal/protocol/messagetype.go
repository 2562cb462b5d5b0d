package protocol

// MessageType is what a message is for; its subject's prefix tells (PROTOCOL 3).
type MessageType string

// The ten types.
const (
	TypeKickoff  MessageType = "KICKOFF"
	TypeDelta    MessageType = "DELTA"
	TypeCompiled MessageType = "COMPILED"
	TypeCritique MessageType = "CRITIQUE"
	TypeAck      MessageType = "ACK"
	TypeClaim    MessageType = "CLAIM"
	TypeHandoff  MessageType = "HANDOFF"
	TypeBlocked  MessageType = "BLOCKED"
	TypeQuestion MessageType = "QUESTION"
	TypeInfo     MessageType = "INFO"
)

// MessageTypes returns all ten, in the order of the specification.
func MessageTypes() []MessageType {
	return []MessageType{
		TypeKickoff, TypeDelta, TypeCompiled, TypeCritique, TypeAck,
		TypeClaim, TypeHandoff, TypeBlocked, TypeQuestion, TypeInfo,
	}
}

// ParseMessageType finds a type by its exact name.
func ParseMessageType(name string) (MessageType, bool) {
	for _, t := range MessageTypes() {
		if string(t) == name {
			return t, true
		}
	}
	return "", false
}

// AckDefault tells whether a message of this type asks for an acknowledgement when its
// sender does not say (PROTOCOL 4).
func (t MessageType) AckDefault() bool {
	switch t {
	case TypeKickoff, TypeCritique, TypeHandoff, TypeBlocked, TypeQuestion:
		return true
	default:
		return false
	}
}
