// Package membersql asks the tables of an SQL engine what mail.MembersOf asks of messages: who is a member of a
// thread (PROTOCOL 16).
package membersql

import (
	"strings"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Condition is a condition on a row of the table threads: the agent whose name key is the one argument is a member
// of it. hint goes before the condition on deliveries.message_id, for an engine whose index needs it.
func Condition(hint string) string {
	return "EXISTS (SELECT 1 FROM agents a WHERE a.project_id = threads.project_id AND a.name_key = ? AND (crate = '' AND (" +
		within("messages", "deliveries", hint) + ") OR crate <> '' AND (" + within("archived_messages", "archived_deliveries", "") + ")))"
}

// Everywhere tells whether the agent is a member of every thread.
func Everywhere(nameKey string) bool { return nameKey == mail.NameKey(protocol.Operator) }

// member asks the cheap questions first: is the agent an opener, did an opener address it? Who was brought in by
// others is found by going back from the agent to those who addressed it, until an opener is among them.
const member = `a.id IN OPENERS
	OR EXISTS (SELECT 1 FROM MESSAGES m WHERE OF_THREAD AND m.sender_id IN OPENERS
		AND EXISTS (SELECT 1 FROM DELIVERIES d WHERE d.agent_id = a.id AND HINT d.message_id = m.id))
	OR EXISTS (WITH RECURSIVE path (agent) AS (SELECT a.id UNION SELECT m.sender_id FROM path CROSS JOIN MESSAGES m WHERE OF_THREAD
		AND EXISTS (SELECT 1 FROM DELIVERIES d WHERE d.agent_id = path.agent AND HINT d.message_id = m.id))
		SELECT 1 FROM path WHERE agent IN OPENERS)`

// openers are the sender of the first message and the conveners: the sender of the first KICKOFF and the operator.
const openers = `(SELECT f.sender_id FROM MESSAGES f WHERE f.id = threads.first_id
	UNION ALL SELECT o.id FROM agents o WHERE o.project_id = threads.project_id AND o.name_key = 'OPERATOR'
	UNION ALL SELECT k.sender_id FROM (SELECT m.sender_id FROM MESSAGES m
		WHERE threads.first_type <> 'KICKOFF' AND OF_THREAD AND m.type = 'KICKOFF' ORDER BY m.id LIMIT 1) k)`

func within(messages, deliveries, hint string) string {
	return strings.NewReplacer(
		"MESSAGES", messages, "DELIVERIES", deliveries, "HINT", hint, "OPERATOR", mail.NameKey(protocol.Operator),
		"OF_THREAD", "m.project_id = threads.project_id AND m.thread_id = threads.thread_id AND m.thread_id <> ''",
	).Replace(strings.ReplaceAll(member, "OPENERS", openers))
}
