package study

import (
	"fmt"

	"brenner/internal/protocol"
)

// Proved says what a record proves, in words with its numbers (SCIENCE 9). coverage says how quotations were checked; empty: not known.
func Proved(messages, locked int, coverage string) []string {
	list := []string{
		fmt.Sprintf("%s in one chain: none can be removed, moved or changed without another hash at its end.",
			protocol.Plural(messages, "message")),
		fmt.Sprintf("%s stood before anybody had recorded a result of that test here.", protocol.Plural(locked, "prediction")),
	}
	if coverage != "" {
		list = append(list, "Quotations were compared with the sources as they were cited: "+coverage+".")
	}
	return append(list, "Every version, figure and percentage follows from the statements in the record, by written rules.")
}

// OnlyClaimed says what rests on somebody's word.
func OnlyClaimed(agents int) []string {
	return []string{
		fmt.Sprintf("That %s wrote it, and which makers they are of: one operator could have played them.",
			protocol.Plural(agents, "agent")),
		"The days of measurement, and that controls worked: the recorder's word.",
		"Spreads and scores behind the likelihoods: the agents' judgement.",
		"That nobody knew the answer: what the agents had read before is not known.",
	}
}
