package evidence

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/markup"
)

// Quote is a passage that a text quotes, with what it cites for it.
type Quote struct {
	Text      string              // as written, without its quotation marks
	Citations []artifact.Citation // the quote must be in one of them
	Offset    int                 // of its first byte in the text it was found in
	Pattern   Pattern
}

// Citation returns what is cited, as written.
func (q Quote) Citation() string {
	names := make([]string, len(q.Citations))
	for i, c := range q.Citations {
		names[i] = c.String()
	}
	return strings.Join(names, ", ")
}

// Quotes finds the quotes of a Markdown text, in order. It takes linear time.
func Quotes(text string) []Quote {
	if !strings.Contains(text, "EV-") && !strings.Contains(text, "§") {
		return nil
	}
	var found []Quote
	paragraphs := markup.Paragraphs(text)
	for i := 0; i < len(paragraphs); {
		if paragraphs[i].Quote == 0 {
			found = append(found, flatten(text, paragraphs[i:i+1]).quotes(-1)...)
			i++
			continue
		}
		end := i
		for end < len(paragraphs) && paragraphs[end].Quote == paragraphs[i].Quote {
			end++
		}
		found = append(found, blockQuote(text, paragraphs[i:end])...)
		i = end
	}
	return found
}
