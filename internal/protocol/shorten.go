package protocol

import "unicode/utf8"

const ellipsis = "…"

// Shorten returns the first characters of a text, with an ellipsis behind them if it has more.
func Shorten(text string, most int) string {
	if n := firstCharacters(text, most); n < len(text) {
		return text[:n] + ellipsis
	}
	return text
}

// Fit is Shorten to so many characters together with the ellipsis.
func Fit(text string, most int) string {
	if firstCharacters(text, most) == len(text) {
		return text
	}
	return text[:firstCharacters(text, most-1)] + ellipsis
}

// firstCharacters is how many bytes the first characters of a text take.
func firstCharacters(text string, most int) int {
	if len(text) <= most {
		return len(text)
	}
	n := 0
	for i := range text {
		if n == most {
			return i
		}
		n++
	}
	return len(text)
}

// ShortenBytes is Shorten by bytes; no character is cut.
func ShortenBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + ellipsis
}

// maxBrief is how much of a foreign text a message shows.
const maxBrief = 80

// Brief shortens a text for use in a message.
func Brief(text string) string { return Shorten(text, maxBrief) }

// shorten cuts text to what fits a description.
func shorten(text string) string { return Fit(text, maxDescription) }
