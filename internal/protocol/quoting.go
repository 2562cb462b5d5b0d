package protocol

import (
	"fmt"
	"strconv"
	"strings"
)

// plainly prepares the arguments of a message for people: what %q quotes keeps its backslashes single, which strconv would double,
// as in the path of a file. What would drive a terminal is escaped as ever.
func plainly(args []any) []any {
	list := make([]any, len(args))
	for i, arg := range args {
		list[i] = arg
		if text, ok := arg.(string); ok {
			list[i] = quotable(text)
		}
	}
	return list
}

// quotable is a string in a message.
type quotable string

// Format implements fmt.Formatter.
func (q quotable) Format(state fmt.State, verb rune) {
	if _, cut := state.Precision(); verb != 'q' || cut || !strings.Contains(string(q), `\`) {
		fmt.Fprintf(state, fmt.FormatString(state, verb), string(q))
		return
	}
	parts := strings.Split(string(q), `\`)
	for i, part := range parts {
		quoted := strconv.Quote(part)
		parts[i] = quoted[1 : len(quoted)-1]
	}
	fmt.Fprint(state, `"`+strings.Join(parts, `\`)+`"`)
}
