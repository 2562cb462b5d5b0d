package protocol

import (
	"fmt"
	"strings"

	"brenner/internal/pattern"
)

// exampleDescription shows what one would write behind each prefix.
var exampleDescription = map[MessageType]string{
	TypeKickoff:  "how cells know their place",
	TypeDelta:    "added H3, a third alternative",
	TypeCompiled: "v2 with the deltas of three agents",
	TypeCritique: "A2 may not hold at this scale",
	TypeAck:      "received, will start today",
	TypeClaim:    "taking the delta parser",
	TypeHandoff:  "delta parser to RedLake",
	TypeBlocked:  "waiting for the schema",
	TypeQuestion: "which rubric applies to T2?",
	TypeInfo:     "the server restarts at 02:00 UTC",
}

// spelledDelta finds DELTA written another way: small letters, no colon, other brackets.
var spelledDelta = pattern.Lazy(`^(?i:delta)\s*(?:[\[({<]\s*([^\])}>:]*)[\])}>]?\s*:?|\s([^\s:]+)\s*:|\s*:|\s)(.*)$`)

func noPrefix(rest string) Finding {
	message := fmt.Sprintf("%q does not begin with one of the ten prefixes.", shorten(rest))
	if strings.TrimSpace(rest) == "" {
		message = "The subject is empty."
	}
	return NewFinding(InvalidSubjectPrefix, "%s", message).WithFix("%s", writeSubject(rest))
}

// writeSubject says which subject to write instead.
func writeSubject(rest string) string {
	suggestion, sure := suggestSubject(rest)
	switch {
	case strings.HasPrefix(suggestion, "DELTA[") && !sure:
		return fmt.Sprintf("Write %s — with the shorthand of the model that wrote it: %s.", suggestion, strings.Join(shorthands, ", "))
	case sure:
		return fmt.Sprintf("Write %s", suggestion)
	default:
		return fmt.Sprintf("Write %s — or begin with KICKOFF:, DELTA[opus]:, COMPILED:, CRITIQUE:, ACK:, CLAIM:, HANDOFF:, BLOCKED: or "+
			"QUESTION:.", suggestion)
	}
}

// suggestSubject returns the valid subject nearest to the text, and whether the text itself
// names the type.
func suggestSubject(rest string) (string, bool) {
	text := strings.Join(strings.Fields(rest), " ")
	if m := spelledDelta().FindStringSubmatch(text); m != nil {
		word := guessShorthand(m[1] + m[2])
		if word == "" {
			return subjectLine("DELTA[gpt]", TypeDelta, m[3]), false
		}
		return subjectLine("DELTA["+word+"]", TypeDelta, m[3]), true
	}
	head, tail, found := strings.Cut(text, ":")
	if !found {
		head, tail, _ = strings.Cut(text, " ")
		if t, ok := ParseMessageType(strings.ToUpper(strings.Trim(head, "[]()*#-"))); ok && t != TypeDelta {
			return subjectLine(string(t), t, tail), true
		}
		return subjectLine(string(TypeInfo), TypeInfo, text), false
	}
	if t := nearestType(head); t == TypeDelta {
		return subjectLine("DELTA[gpt]", t, tail), false
	} else if t != "" {
		return subjectLine(string(t), t, tail), true
	}
	return subjectLine(string(TypeInfo), TypeInfo, text), false
}

func subjectLine(prefix string, t MessageType, description string) string {
	description = strings.TrimSpace(strings.TrimLeft(description, " :–—-"))
	if description == "" {
		description = exampleDescription[t]
	}
	return prefix + ": " + shorten(description)
}

// synonyms are words that agents write where the protocol has a prefix.
var synonyms = map[string]MessageType{
	"START": TypeKickoff, "BEGIN": TypeKickoff, "SESSION": TypeKickoff, "KICK-OFF": TypeKickoff, "KICK OFF": TypeKickoff,
	"UPDATE": TypeInfo, "STATUS": TypeInfo, "FYI": TypeInfo, "NOTE": TypeInfo, "INFORMATION": TypeInfo, "ANNOUNCEMENT": TypeInfo,
	"CONTRIBUTION": TypeDelta, "PATCH": TypeDelta, "ADD": TypeDelta, "EDIT": TypeDelta, "KILL": TypeDelta,
	"ARTIFACT": TypeCompiled, "COMPILE": TypeCompiled, "MERGED": TypeCompiled,
	"CRITIC": TypeCritique, "REVIEW": TypeCritique, "ATTACK": TypeCritique, "CHALLENGE": TypeCritique,
	"ACKNOWLEDGED": TypeAck, "ACKNOWLEDGEMENT": TypeAck, "ACKNOWLEDGMENT": TypeAck, "RECEIVED": TypeAck,
	"TAKING": TypeClaim, "TRANSFER": TypeHandoff, "HAND-OFF": TypeHandoff, "HAND OFF": TypeHandoff,
	"BLOCKER": TypeBlocked, "STUCK": TypeBlocked, "ASK": TypeQuestion, "HELP": TypeQuestion,
}

// nearestType finds the type whose name is the word but for case, a synonym, or a slip.
func nearestType(head string) MessageType {
	word := strings.ToUpper(strings.Trim(head, " []()*#_-"))
	if t, ok := ParseMessageType(word); ok {
		return t
	}
	if t, ok := synonyms[word]; ok {
		return t
	}
	for _, t := range MessageTypes() {
		if len(t) > 3 && len(word) <= len(t)+2 && EditDistance(word, string(t)) <= 2 {
			return t
		}
	}
	return ""
}

// EditDistance counts the bytes to insert, delete or change to make one word of the other. It takes time in the product of
// their lengths: both are short.
func EditDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
