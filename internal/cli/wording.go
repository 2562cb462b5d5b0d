package cli

import (
	"bytes"
	"encoding/json"

	"brenner/internal/commandline"
	"brenner/internal/protocol"
)

// wordFixes puts the command that does an action into the fix beside it, as the text has it. Findings stand deep inside reports of
// many types, so it works on their JSON, where fix and action are neighbours: a quote inside a string is escaped, so that no text of
// a message can look like these keys.
func wordFixes(object []byte) []byte {
	fixKey, actionKey := []byte(`"fix":`), []byte(`,"action":`)
	var out []byte
	for {
		at := bytes.Index(object, fixKey)
		if at < 0 {
			return append(out, object...)
		}
		at += len(fixKey)
		out, object = append(out, object[:at]...), object[at:]
		var fix *string
		var action protocol.Action
		n, err := decodeFirst(object, &fix)
		if err != nil || fix == nil || !bytes.HasPrefix(object[n:], actionKey) {
			continue
		}
		if _, err := decodeFirst(object[n+len(actionKey):], &action); err != nil {
			continue
		}
		var worded bytes.Buffer
		if err := encode(&worded, commandline.Fix(*fix, &action)); err != nil {
			continue
		}
		out, object = append(out, worded.Bytes()...), object[n:]
	}
}

// decodeFirst decodes the value that data begins with and returns its length.
func decodeFirst(data []byte, to any) (int, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	err := dec.Decode(to)
	return int(dec.InputOffset()), err
}
