package delta

import (
	"brenner/internal/artifact"
	"brenner/internal/markup"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// CheckObject tells whether a fence holds one JSON object, read as strictly as a delta block: no
// second value, no duplicate key, not too large, not too deep. If not, the finding says why and
// the offset where in the fence's content.
func CheckObject(f *markup.Fence) (fault protocol.Finding, offset int, ok bool) {
	if size := len(f.Content); size > artifact.MaxBlockBytes {
		return protocol.NewFinding(protocol.BlockTooLarge, "The block has %d bytes; at most %d are read.", size, artifact.MaxBlockBytes), 0,
			false
	}
	dec := decoders.Get().(*decoder)
	defer dec.release()
	t, offset, err := dec.decode(f.Content)
	switch {
	case err != nil:
		return syntaxFinding(f, offset, err), offset, false
	case t.root().kind() != strictjson.Object:
		return protocol.NewFinding(protocol.NotAnObject, "The block holds %s instead of an object.", t.root().kind()), 0, false
	case t.deep >= 0:
		return protocol.NewFinding(protocol.InvalidField, "A value nests more than %d levels deep.", MaxDepth).
			WithFix("Flatten the value."), t.deep, false
	}
	return protocol.Finding{}, 0, true
}
