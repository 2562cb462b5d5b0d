package protocol

// Shorten returns the first characters of a text, with an ellipsis if it has more.
func Shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// maxBrief is how much of a foreign text a message shows.
const maxBrief = 80

// Brief shortens a text for use in a message.
func Brief(text string) string { return Shorten(text, maxBrief) }
