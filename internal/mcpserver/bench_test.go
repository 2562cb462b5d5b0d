package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/mail"
	"brenner/internal/message"
)

// contender is one way to do a thing, measured against others in the same run and in turns.
type contender struct {
	name string
	run  func(i int) error
	took []time.Duration
}

// compete lets contenders take turns and returns the median time of each.
func compete(b *testing.B, contenders ...*contender) []float64 {
	n := 0
	for b.Loop() {
		for _, c := range contenders {
			n++
			began := time.Now()
			if err := c.run(n); err != nil {
				b.Fatal(err)
			}
			c.took = append(c.took, time.Since(began))
		}
	}
	medians := make([]float64, len(contenders))
	for i, c := range contenders {
		slices.Sort(c.took)
		medians[i] = float64(c.took[len(c.took)/2])
		b.ReportMetric(medians[i]/1e3, "µs-"+c.name)
	}
	return medians
}

// requester posts one request over a connection of its own, as cheaply as a client can.
func requester(b *testing.B, url string, header http.Header) func(body string) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	b.Cleanup(client.CloseIdleConnections)
	return func(body string) error {
		request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			return err
		}
		request.Header = header.Clone()
		request.Header.Set("Content-Type", "application/json")
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if err == nil && (response.StatusCode != http.StatusOK || bytes.Contains(answer, []byte(`"isError":true`)) ||
			bytes.Contains(answer, []byte(`"error":{`))) {
			err = fmt.Errorf("%s: %.300s", response.Status, answer)
		}
		return err
	}
}

// inSession opens a session and returns a requester in it.
func inSession(b *testing.B, url string) func(body string) error {
	w := &httpWire{url: url, header: http.Header{"Accept": {"application/json, text/event-stream"}}}
	w.open(b)
	return requester(b, url, w.header)
}

// echoServer is the SDK as it comes, with one typed tool that says what it was told.
func echoServer(b *testing.B) string {
	type words struct {
		Text string `json:"text"`
	}
	sdk := mcp.NewServer(&mcp.Implementation{Name: "echo", Version: "1"}, nil)
	mcp.AddTool(sdk, &mcp.Tool{Name: "echo"},
		func(_ context.Context, _ *mcp.CallToolRequest, in words) (*mcp.CallToolResult, words, error) {
			return nil, in, nil
		})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server {
		return sdk
	}, &mcp.StreamableHTTPOptions{JSONResponse: true}))
	b.Cleanup(func() {
		for session := range sdk.Sessions() {
			_ = session.Close()
		}
		web.Close()
	})
	return web.URL
}

// BenchmarkRead compares read tools with the echo tool of the SDK, with and without a session.
// The ratios are what counts.
func BenchmarkRead(b *testing.B) {
	s := onDisk(b, filepath.Join(b.TempDir(), "mail.db"))
	populate(b, s, "BlueLake")
	for i := range 20 {
		post(b, s, "BlueLake", "BlueLake", fmt.Sprintf("INFO: message %d", i), "A few words.")
	}
	url := serve(b, s).URL
	const (
		whois = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whois","arguments":{"project_key":"srv-cells",` +
			`"agent_name":"BlueLake"}}}`
		inbox = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch_inbox","arguments":{"project_key":"srv-cells",` +
			`"agent_name":"BlueLake"}}}`
		echo = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"A few words."}}}`
	)
	session, bare, plain := inSession(b, url), requester(b, url, http.Header{}), inSession(b, echoServer(b))
	took := compete(b,
		&contender{name: "echo", run: func(int) error { return plain(echo) }},
		&contender{name: "whois", run: func(int) error { return session(whois) }},
		&contender{name: "inbox", run: func(int) error { return session(inbox) }},
		&contender{name: "bare-whois", run: func(int) error { return bare(whois) }},
		&contender{name: "bare-inbox", run: func(int) error { return bare(inbox) }},
	)
	for i, name := range []string{"whois", "inbox", "bare-whois", "bare-inbox"} {
		b.ReportMetric(took[i+1]/took[0], name+"/echo")
	}
}

// BenchmarkSend compares sending over MCP with sending through the store's own service, on one
// file.
func BenchmarkSend(b *testing.B) {
	s := onDisk(b, filepath.Join(b.TempDir(), "mail.db"))
	populate(b, s, "BlueLake")
	url := serve(b, s).URL
	body := strings.Repeat("A few words that make an ordinary message. ", 20)
	session, bare := inSession(b, url), requester(b, url, http.Header{})
	request := func(i int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_message",`+
			`"arguments":{"project_key":"srv-cells","sender_name":"BlueLake","to":["BlueLake"],"subject":"INFO: message `+
			`%d","body_md":%q}}}`, i, body)
	}
	took := compete(b,
		&contender{name: "store", run: func(i int) error {
			_, err := s.projects.home.mail.Send(context.Background(), mail.Outgoing{Draft: message.Draft{
				From: "BlueLake", To: []string{"BlueLake"}, Subject: fmt.Sprintf("INFO: message %d", i), Body: body,
			}})
			return err
		}},
		&contender{name: "session", run: func(i int) error { return session(request(i)) }},
		&contender{name: "bare", run: func(i int) error { return bare(request(i)) }},
	)
	b.ReportMetric(took[1]/took[0], "session/store")
	b.ReportMetric(took[2]/took[0], "bare/store")
}

// BenchmarkManySenders sends from 32 clients at once and reports the slowest hundredth.
func BenchmarkManySenders(b *testing.B) {
	s := onDisk(b, filepath.Join(b.TempDir(), "mail.db"))
	populate(b, s, "BlueLake")
	url := serve(b, s).URL
	const clients = 32
	var mu sync.Mutex
	var took []time.Duration
	var n atomic.Int64
	for b.Loop() {
		var wg sync.WaitGroup
		for range clients {
			send := inSession(b, url)
			wg.Go(func() {
				for range 20 {
					i, began := n.Add(1), time.Now()
					err := send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"send_message",`+
						`"arguments":{"project_key":"srv-cells","sender_name":"BlueLake","to":"BlueLake","subject":"INFO: message `+
						`%d","body_md":"words"}}}`, i, i))
					if err != nil {
						b.Error(err)
						return
					}
					mu.Lock()
					took = append(took, time.Since(began))
					mu.Unlock()
				}
			})
		}
		wg.Wait()
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2])/1e6, "ms-p50")
	b.ReportMetric(float64(took[len(took)*99/100])/1e6, "ms-p99")
}

// BenchmarkWaiters reports the memory of two hundred idle waiters, and how soon one that a message
// concerns is awake.
func BenchmarkWaiters(b *testing.B) {
	s := onDisk(b, filepath.Join(b.TempDir(), "mail.db"))
	const idle = 200
	names := make([]string, idle)
	for i := range names {
		names[i] = fmt.Sprintf("Agent%d", i)
	}
	populate(b, s, names...)
	populate(b, s, "BlueLake")
	url := serve(b, s).URL
	before := heap()
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * idle}}
	for _, name := range names {
		wg.Go(func() {
			request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(fmt.Sprintf(
				`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"brenner_wait","arguments":{"project_key":"srv-cells",`+
					`"agent_name":%q}}}`, name)))
			if err != nil {
				b.Error(err)
				return
			}
			if response, err := client.Do(request); err == nil {
				response.Body.Close()
			}
		})
	}
	for s.Waiters() < idle {
		time.Sleep(time.Millisecond)
	}
	// Client and server live in this process: both ends are counted.
	memory := float64(heap()-before) / idle / 1024
	var lags []time.Duration
	for b.Loop() {
		woken := make(chan time.Time, 1)
		go func() {
			callOver(b, &httpWire{url: url}, "brenner_wait", `{"project_key":"srv-cells","agent_name":"BlueLake"}`)
			woken <- time.Now()
		}()
		for s.Waiters() < idle+1 {
			runtime.Gosched()
		}
		sent := post(b, s, "BlueLake", "BlueLake", "INFO: wake up", "now")
		lags = append(lags, (<-woken).Sub(sent.CreatedAt))
	}
	cancel()
	wg.Wait()
	client.CloseIdleConnections()
	slices.Sort(lags)
	b.ReportMetric(memory, "KiB/waiter")
	b.ReportMetric(float64(lags[len(lags)*95/100])/1e6, "ms-wake-p95")
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

// BenchmarkArguments measures the reading of a large message's arguments.
func BenchmarkArguments(b *testing.B) {
	raw, err := encode(map[string]string{"project_key": "srv-cells", "body_md": strings.Repeat("ä line of text\n", 1<<16)})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		a, err := decodeArguments(json.RawMessage(raw))
		if err != nil || a.text("body_md") == "" {
			b.Fatal(err)
		}
	}
}
