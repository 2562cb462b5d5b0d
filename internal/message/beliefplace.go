package message

import (
	"strings"

	"brenner/internal/strictjson"
)

// at is where in the message the value of a path stands. For one that is not there it is where the innermost object around it
// begins; for the block as a whole, its fence.
func (r *beliefReader) at(path string) (line, column int) {
	if r.places == nil {
		r.places = placesOf(r.fence.Content)
	}
	for path != "" {
		if offset, ok := r.places[path]; ok {
			return r.doc.Position(r.fence.Offset(offset))
		}
		path = path[:max(strings.LastIndexByte(path, '.'), 0)]
	}
	return r.fence.Line, 1
}

// placeDepth is how many names the path of a finding has at most: likelihoods.T1.H1.
const placeDepth = 3

// placer notes where the values of a JSON object begin.
type placer struct {
	decoder *strictjson.Decoder
	places  map[string]int // by their names with dots between
}

// placesOf reads an object that was found to be one. What stands in a list has the place of the list.
func placesOf(content string) map[string]int {
	p := placer{strictjson.NewDecoder(), map[string]int{}}
	p.decoder.Reset(content)
	if kind, _, err := p.decoder.Next(); err == nil && kind == strictjson.Object {
		p.members("", placeDepth)
	}
	return p.places
}

// members walks to the end of an object that was opened.
func (p *placer) members(prefix string, depth int) {
	for {
		name, raw, err := p.decoder.Next()
		if err != nil || name != strictjson.String {
			return
		}
		path := prefix + string(strictjson.AppendText(nil, raw))
		kind, raw, err := p.decoder.Next()
		if err != nil {
			return
		}
		if _, taken := p.places[path]; !taken { // a name may have dots itself
			p.places[path] = p.decoder.Offset() - width(kind, raw)
		}
		switch {
		case kind == strictjson.Object && depth > 1:
			p.members(path+".", depth-1)
		case kind == strictjson.Object || kind == strictjson.Array:
			p.skip()
		}
	}
}

// skip goes behind the end of a list or object that was opened.
func (p *placer) skip() {
	for open := 1; open > 0; {
		kind, _, err := p.decoder.Next()
		switch {
		case err != nil:
			return
		case kind == strictjson.Object || kind == strictjson.Array:
			open++
		case kind == ']' || kind == '}':
			open--
		}
	}
}

// width is how many bytes of the text a token takes.
func width(kind strictjson.Kind, raw string) int {
	switch kind {
	case strictjson.Null, strictjson.True:
		return len("null")
	case strictjson.False:
		return len("false")
	case strictjson.Object, strictjson.Array:
		return 1
	}
	return len(raw)
}
