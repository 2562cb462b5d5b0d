package strictjson

import "bytes"

// maxValues bounds the values of a text that is decoded whole: a list of empty ones takes many times the memory of its text.
const maxValues = 1 << 20

// Bounded reports whether a text has few enough values to be decoded whole. It is asked before, and takes no memory. Commas count, also
// those in strings.
func Bounded(text []byte) bool { return bytes.Count(text, []byte{','}) < maxValues }
