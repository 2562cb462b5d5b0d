package connect

// blanked returns JSON with spaces in place of comments, trailing commas and a byte order mark,
// so that offsets stay what they are.
func blanked(text []byte) []byte {
	out := append([]byte{}, text...)
	if len(out) >= 3 && string(out[:3]) == "\ufeff" {
		blank(out[:3])
	}
	comma := -1 // the last comma, if nothing but space has come since
	for i := 0; i < len(out); {
		switch c := out[i]; {
		case c == '"':
			comma, i = -1, stringEnd(out, i)
			continue
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := commentEnd(out, i)
			blank(out[i:end])
			i = end
			continue
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			out[comma] = ' '
			comma = -1
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			comma = -1
		}
		i++
	}
	return out
}

// stringEnd returns the offset behind a string that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// commentEnd returns the offset behind a comment that begins at i.
func commentEnd(text []byte, i int) int {
	line := text[i+1] == '/'
	for i += 2; i < len(text); i++ {
		if line && text[i] == '\n' {
			return i
		}
		if !line && text[i] == '*' && i+1 < len(text) && text[i+1] == '/' {
			return i + 2
		}
	}
	return len(text)
}

func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}
