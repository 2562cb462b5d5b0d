package foreign

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"

	"brenner/protocol"
)

// arguments of a tool, by name.
type arguments map[string]any

// toolAnswer is the result of tools/call.
type toolAnswer struct {
	Content           []struct{ Text string } `json:"content"`
	StructuredContent json.RawMessage         `json:"structuredContent"`
	IsError           bool                    `json:"isError"`
}

// tool calls a tool and reads its answer.
func (c *caller) tool(ctx context.Context, name string, args arguments, result any) error {
	var answer toolAnswer
	if err := c.call(ctx, "tools/call", struct {
		Name      string    `json:"name"`
		Arguments arguments `json:"arguments"`
	}{name, args}, &answer); err != nil {
		return err
	}
	if answer.IsError {
		return answer.failure(name)
	}
	if err := json.Unmarshal(answer.data(), result); err != nil {
		return unavailable("what %s answers cannot be read: %w", name, err)
	}
	return nil
}

// data is the answer itself: structured content, in which arrays stand under result, else the
// text.
func (a *toolAnswer) data() []byte {
	if len(a.StructuredContent) == 0 || string(a.StructuredContent) == "null" {
		if len(a.Content) > 0 {
			return []byte(a.Content[0].Text)
		}
		return []byte("null")
	}
	var wrapped struct{ Result json.RawMessage }
	if json.Unmarshal(a.StructuredContent, &wrapped) == nil && len(wrapped.Result) > 0 {
		return wrapped.Result
	}
	return a.StructuredContent
}

func (a *toolAnswer) failure(name string) error {
	var told struct {
		Error struct {
			Code     protocol.Code
			Message  string
			Findings []protocol.Finding
		}
	}
	if json.Unmarshal(a.StructuredContent, &told) == nil && known(told.Error.Code) {
		return protocol.Errorf(told.Error.Code, "%s", told.Error.Message).WithFindings(told.Error.Findings)
	}
	text := "no reason given"
	if len(a.Content) > 0 {
		text = a.Content[0].Text
	}
	return protocol.Errorf(protocol.Internal, "the server's %s failed: %s%w", name, text, errUncoded)
}

// resource reads a resource: kind/name with a query. NOT_FOUND: the server has none.
func (c *caller) resource(ctx context.Context, kind, name string, query url.Values, result any) error {
	uri := "resource://" + kind + "/" + url.PathEscape(name)
	if len(query) > 0 {
		uri += "?" + query.Encode()
	}
	var answer struct{ Contents []struct{ Text string } }
	err := c.call(ctx, "resources/read", struct {
		URI string `json:"uri"`
	}{uri}, &answer)
	if err != nil {
		return err
	}
	if len(answer.Contents) == 0 {
		return protocol.Errorf(protocol.NotFound, "the server has nothing at %s", uri)
	}
	if err := json.NewDecoder(bytes.NewReader([]byte(answer.Contents[0].Text))).Decode(result); err != nil {
		return unavailable("what the server has at %s cannot be read: %w", uri, err)
	}
	return nil
}
