package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"brenner/internal/protocol"
)

// jsonInsertion finds where the server goes in a program's JSON settings: into mcpServers, which
// is made if it is not there. Comments and trailing commas are tolerated, as these programs do. An
// empty insertion says that the very same server is there already. CONFLICT: another one has
// its name. INVALID_INPUT: the text is not such settings.
func jsonInsertion(path string, text []byte, e entry) (insertion, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		whole := encoded(map[string]map[string]entry{"mcpServers": {serverName: e}}, "") + "\n"
		return insertion{len(text), whole}, nil
	}
	root, err := readObject(blanked(text))
	if err != nil {
		return insertion{}, protocol.Errorf(protocol.InvalidInput, "%s cannot be edited: %w", path, err)
	}
	servers, found, err := root.member("mcpServers")
	if err != nil {
		return insertion{}, protocol.Errorf(protocol.InvalidInput, "%s cannot be edited: %w", path, err)
	}
	if !found {
		return root.insert(text, "mcpServers", map[string]entry{serverName: e}), nil
	}
	inside, err := readObject(servers.text)
	if err != nil {
		return insertion{}, protocol.Errorf(protocol.InvalidInput, "mcpServers in %s cannot be edited: %w", path, err)
	}
	inside.shift(servers.at)
	have, found, err := inside.member(serverName)
	switch {
	case err != nil:
		return insertion{}, protocol.Errorf(protocol.InvalidInput, "mcpServers in %s cannot be edited: %w", path, err)
	case !found:
		return inside.insert(text, serverName, e), nil
	case sameValue(have.text, e):
		return insertion{}, nil
	}
	return insertion{}, protocol.Errorf(protocol.Conflict, "%s has another server named %s already; take it out first", path, serverName)
}

// object is a JSON object in a text, as far as an insertion needs to know it.
type object struct {
	open    int // offset behind its brace
	members []member
}

type member struct {
	name string
	at   int    // offset of the value
	text []byte // the value
}

// readObject reads the one object of a text without comments.
func readObject(text []byte) (object, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	brace, err := dec.Token()
	if err != nil {
		return object{}, notJSON(err)
	}
	if brace != json.Delim('{') {
		return object{}, errors.New("it is not a JSON object")
	}
	o := object{open: int(dec.InputOffset())}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return object{}, notJSON(err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return object{}, notJSON(err)
		}
		o.members = append(o.members, member{fmt.Sprint(name), int(dec.InputOffset()) - len(value), value})
	}
	if _, err := dec.Token(); err != nil {
		return object{}, notJSON(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return object{}, errors.New("something follows the JSON object")
	}
	return o, nil
}

func notJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it is not JSON: it ends too early")
	}
	return fmt.Errorf("it is not JSON: %w", err)
}

func (o *object) shift(by int) {
	o.open += by
	for i := range o.members {
		o.members[i].at += by
	}
}

// member finds a value by name. Programs disagree on which of two counts.
func (o *object) member(name string) (m member, found bool, err error) {
	for _, candidate := range o.members {
		if candidate.name != name {
			continue
		}
		if found {
			return m, true, fmt.Errorf("%q is there twice", name)
		}
		m, found = candidate, true
	}
	return m, found, nil
}

// insert puts a member first into the object, laid out like its neighbours.
func (o *object) insert(text []byte, name string, value any) insertion {
	end, indent := newline(text), o.indent(text)
	laidOut := strings.ReplaceAll(fmt.Sprintf("%q: %s", name, encoded(value, indent)), "\n", end)
	if len(o.members) > 0 {
		return insertion{o.open, end + indent + laidOut + ","}
	}
	return insertion{o.open, end + indent + laidOut + end + strings.TrimSuffix(indent, "  ")}
}

// indent is that of the first member, if it has a line of its own; else two more than
// that of the line on which the object opens.
func (o *object) indent(text []byte) string {
	rest := text[o.open:]
	if trimmed := bytes.TrimLeft(rest, " \t\r\n"); len(o.members) > 0 && bytes.Contains(rest[:len(rest)-len(trimmed)], []byte("\n")) {
		space := rest[:len(rest)-len(trimmed)]
		return string(space[bytes.LastIndexByte(space, '\n')+1:])
	}
	line := text[bytes.LastIndexByte(text[:o.open], '\n')+1 : o.open]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]) + "  "
}
