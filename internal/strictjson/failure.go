package strictjson

import (
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// DuplicateName tells whether a text failed because an object has a name twice.
func DuplicateName(err error) bool { return errors.Is(err, jsontext.ErrDuplicateName) }

// Reason says why a text failed, without the place.
func Reason(err error) string {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) && syntax.Err != nil {
		return syntax.Err.Error()
	}
	return err.Error()
}

// Place returns the offset at which a text failed, if it failed at one.
func Place(err error) (offset int, ok bool) {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return 0, false
	}
	return int(syntax.ByteOffset), true
}

// Path names the value in which a text failed: payload.anchors[0].
func Path(err error) string {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return ""
	}
	var b strings.Builder
	for token := range syntax.JSONPointer.Tokens() {
		if _, err := strconv.ParseUint(token, 10, 31); err == nil && b.Len() > 0 {
			b.WriteString("[" + token + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(token)
	}
	return b.String()
}
