package mcpclient

import (
	"context"
	"encoding/json"
	"net/url"

	"brenner/internal/protocol"
)

// Arguments of a tool, by name. What they mean is the tool's affair.
type Arguments map[string]any

// toolAnswer is the result of tools/call.
type toolAnswer struct {
	Content           []struct{ Text string } `json:"content"`
	StructuredContent json.RawMessage         `json:"structuredContent"`
	IsError           bool                    `json:"isError"`
}

// Tool calls a tool and reads its answer. An array is read as it is, however the server wraps it. A
// tool that fails gives the code and the findings that came with the failure.
func (c *Client) Tool(ctx context.Context, name string, args Arguments, result any) error {
	var got toolAnswer
	if err := c.Call(ctx, "tools/call", struct {
		Name      string    `json:"name"`
		Arguments Arguments `json:"arguments"`
	}{name, args}, &got); err != nil {
		return err
	}
	if got.IsError {
		return got.failure(name)
	}
	if err := json.Unmarshal(got.data(), result); err != nil {
		return unavailable("what %s answers cannot be read: %w", name, err)
	}
	return nil
}

// data is the answer itself: structured content, in which arrays are under result, else the
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
	return protocol.Errorf(protocol.Internal, "the server's %s failed: %s%w", name, text, ErrUncoded)
}

// Resource reads a resource: kind/name with a query. NOT_FOUND: the server has none.
func (c *Client) Resource(ctx context.Context, kind, name string, query url.Values, result any) error {
	uri := "resource://" + kind + "/" + url.PathEscape(name)
	if len(query) > 0 {
		uri += "?" + query.Encode()
	}
	var got struct{ Contents []struct{ Text string } }
	err := c.Call(ctx, "resources/read", struct {
		URI string `json:"uri"`
	}{uri}, &got)
	if err != nil {
		return err
	}
	if len(got.Contents) == 0 {
		return protocol.Errorf(protocol.NotFound, "the server has nothing at %s%w", uri, ErrUncoded)
	}
	if err := json.Unmarshal([]byte(got.Contents[0].Text), result); err != nil {
		return unavailable("what the server has at %s cannot be read: %w", uri, err)
	}
	return nil
}
