package mcpclient_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"brenner/internal/mcpclient"
	"brenner/internal/protocol"
)

// TestMain is also the server that the tests talk to: this binary, started again.
func TestMain(m *testing.M) {
	if os.Getenv("MCPCLIENT_TEST_SERVER") != "" {
		answer()
		return
	}
	goleak.VerifyTestMain(m)
}

// answer is a server with noise between its answers, tools that work, fail, hang and end.
func answer() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var r struct {
			ID     *int64
			Method string
			Params struct{ Name string }
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil || r.ID == nil {
			continue
		}
		fmt.Println("this is no JSON")
		fmt.Println(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`)
		switch r.Params.Name {
		case "list":
			fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":{"result":[1,2]}}}`+"\n", *r.ID)
		case "refuse":
			fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":{"isError":true,"structuredContent":{"error":{"code":"CONFLICT","message":"no",`+
				`"findings":[{"code":"MB-101","severity":"error","message":"m"}]}}}}`+"\n", *r.ID)
		case "hang":
		case "end":
			return
		default:
			fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", *r.ID)
		}
	}
}

func TestStdio(t *testing.T) {
	t.Setenv("MCPCLIENT_TEST_SERVER", "1")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c, err := mcpclient.Stdio(t.Context(), mcpclient.StdioOptions{Args: []string{self}, Patience: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	var list []int
	if err := c.Tool(t.Context(), "list", nil, &list); err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
	err = c.Tool(t.Context(), "refuse", nil, &list)
	if failure, ok := errors.AsType[*protocol.Error](err); !ok || failure.Code != protocol.Conflict || len(failure.Findings) != 1 {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := c.Tool(ctx, "hang", nil, &list); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	for range 2 { // it goes away while it is asked, and is away the next time
		if err := c.Tool(t.Context(), "end", nil, &list); protocol.CodeOf(err) != protocol.StoreUnavailable {
			t.Errorf("%v", err)
		}
	}
	_ = c.Close() // the server ended by itself
	if _, err := mcpclient.Stdio(t.Context(),
		mcpclient.StdioOptions{Args: []string{self + "-not"}}); protocol.CodeOf(err) != protocol.StoreUnavailable {
		t.Errorf("%v", err)
	}
}
