package mail

import "bytes"

// loneSurrogate finds \uD800–\uDFFF escapes that are not pairs; the JSON decoder would
// replace them silently.
func loneSurrogate(data []byte) bool {
	if !bytes.Contains(data, []byte(`\ud`)) && !bytes.Contains(data, []byte(`\uD`)) {
		return false
	}
	for i := 0; i+1 < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		i++
		if data[i] != 'u' {
			continue
		}
		unit := hexUnit(data[i+1:])
		i += 4
		switch {
		case unit >= 0xDC00 && unit <= 0xDFFF:
			return true
		case unit >= 0xD800 && unit <= 0xDBFF:
			if i+2 >= len(data) || data[i+1] != '\\' || data[i+2] != 'u' {
				return true
			}
			if low := hexUnit(data[i+3:]); low < 0xDC00 || low > 0xDFFF {
				return true
			}
			i += 6
		}
	}
	return false
}

// hexUnit reads four hex digits, -1 if there are none.
func hexUnit(data []byte) int {
	if len(data) < 4 {
		return -1
	}
	unit := 0
	for _, c := range data[:4] {
		switch {
		case c >= '0' && c <= '9':
			unit = unit<<4 | int(c-'0')
		case c >= 'a' && c <= 'f':
			unit = unit<<4 | int(c-'a'+10)
		case c >= 'A' && c <= 'F':
			unit = unit<<4 | int(c-'A'+10)
		default:
			return -1
		}
	}
	return unit
}
