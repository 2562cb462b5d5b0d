package mcpserver

import (
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"brenner/internal/protocol"
)

// The bounds of a request and of its answer (PROTOCOL 16). Each value of a JSON text costs many times its
// bytes once it is decoded, so that values are counted before anything is. A thousand delta blocks with
// all their fields are less than a fifth of that; no list of names that means something is longer.
const (
	maxElements = 100_000
	maxNames    = 2000
	maxAnswer   = 16 << 20
	maxFault    = 2000 // bytes of a message about a fault, which may quote what was sent
	maxURI      = 16 << 10

	maxFailure = 16 << 10 // bytes of the message of a tool that failed
)

// crowded tells whether a JSON text has more values than a request may have. It looks at each byte
// once, keeps nothing, and stops when it has seen enough; whether the text is JSON is found out later.
func crowded(text []byte) bool {
	elements := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case ',', '[', '{':
			if elements++; elements > maxElements {
				return true
			}
		}
	}
	return false
}

func crowdedFault() *jsonrpc.Error {
	return newFault(jsonrpc.CodeInvalidRequest, "the request has more than %d values", maxElements)
}

func answerTooLarge() error {
	return protocol.Errorf(protocol.MessageTooLarge, "the answer would have more than %d MiB: ask for less of it, or without bodies",
		maxAnswer>>20)
}
