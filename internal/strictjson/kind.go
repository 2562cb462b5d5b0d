package strictjson

// Kind is the type of a token, by its first character: one of { } [ ] " 0 t f n.
type Kind byte

// The kinds of values.
const (
	Null   Kind = 'n'
	False  Kind = 'f'
	True   Kind = 't'
	Number Kind = '0'
	String Kind = '"'
	Array  Kind = '['
	Object Kind = '{'
)

// String names the kind as a sentence would.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case False, True:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a string"
	case Array:
		return "a list"
	}
	return "an object"
}
