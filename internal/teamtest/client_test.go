package teamtest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// agent is a client as the specification describes it: it opens a session, opens another when it is told that its session is
// gone, and sends again under the same key what was not answered.
type agent struct {
	*lab
	name, token string
	session     atomic.Pointer[string]
	retries     atomic.Int64
	calls       atomic.Int64
}

// errAgain says that a call has to be tried again.
var errAgain = errors.New("try again")

// try does something until it succeeds, fails for good, or the patience is over.
func (a *agent) try(what string, do func(ctx context.Context) error) error {
	a.calls.Add(1)
	for end := time.Now().Add(90 * time.Second); ; a.retries.Add(1) {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		if rand.IntN(40) == 0 { // the client's own line is cut now and then
			time.AfterFunc(time.Duration(rand.IntN(20))*time.Millisecond, cancel)
		}
		err := do(ctx)
		cancel()
		if err == nil || !errors.Is(err, errAgain) || time.Now().After(end) {
			if err != nil {
				err = fmt.Errorf("%s: %s: %w", a.name, what, err)
			}
			return err
		}
		time.Sleep(time.Duration(50+rand.IntN(100)) * time.Millisecond)
	}
}

// reply is the head of an answer.
type reply struct {
	Status     string
	StatusCode int
	Header     http.Header
}

// ask sends a request through the proxy.
func (a *agent) ask(ctx context.Context, method, path string, header http.Header, body string) (reply, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, a.base+path, strings.NewReader(body))
	if err != nil {
		return reply{}, nil, err
	}
	maps.Copy(request.Header, header)
	if a.token != "" {
		request.Header.Set("Authorization", "Bearer "+a.token)
	}
	if body != "" && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := a.client.Do(request)
	if err != nil {
		return reply{}, nil, fmt.Errorf("%w: %w", errAgain, err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return reply{}, nil, fmt.Errorf("%w: %w", errAgain, err)
	case response.StatusCode == http.StatusTooManyRequests, response.StatusCode >= 500:
		return reply{}, data, fmt.Errorf("%w: %s %.300s", errAgain, response.Status, data)
	}
	return reply{response.Status, response.StatusCode, response.Header}, data, nil
}

// opened returns the agent's session, and opens one if there is none.
func (a *agent) opened(ctx context.Context) (string, error) {
	if id := a.session.Load(); id != nil {
		return *id, nil
	}
	response, data, err := a.ask(ctx, "POST", "/mcp", nil,
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},`+
			`"clientInfo":{"name":"team","version":"1"}}}`)
	if err != nil {
		return "", err
	}
	id := response.Header.Get("Mcp-Session-Id")
	if id == "" {
		return "", fmt.Errorf("initialize: %s %.300s", response.Status, data)
	}
	a.session.Store(&id)
	return id, nil
}

var callID atomic.Int64

// call calls a tool, as often as it takes.
func (a *agent) call(tool string, arguments map[string]any, to any) error {
	arguments["project_key"] = a.project
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	return a.try(tool, func(ctx context.Context) error {
		session, err := a.opened(ctx)
		if err != nil {
			return err
		}
		response, data, err := a.ask(ctx, "POST", "/mcp", http.Header{"Mcp-Session-Id": {session}, "Mcp-Protocol-Version": {"2025-11-25"}},
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, callID.Add(1), tool,
				encoded))
		if err != nil {
			return err
		}
		if response.StatusCode == http.StatusNotFound {
			a.Errorf("the session of %s was lost: %s", a.name, data)
			a.session.Store(nil)
			return errAgain
		}
		return outcome(data, to)
	})
}

// outcome reads the answer of a tool.
func outcome(data []byte, to any) error {
	var answer struct {
		Error  *struct{ Message string }
		Result *struct {
			IsError    bool            `json:"isError"`
			Structured json.RawMessage `json:"structuredContent"`
		}
	}
	if err := json.Unmarshal(data, &answer); err != nil || answer.Result == nil {
		if answer.Error != nil && strings.Contains(answer.Error.Message, "stor") {
			return fmt.Errorf("%w: %s", errAgain, answer.Error.Message)
		}
		return fmt.Errorf("no answer: %.300s", data)
	}
	if answer.Result.IsError {
		if strings.Contains(string(answer.Result.Structured), "STORE_UNAVAILABLE") {
			return fmt.Errorf("%w: %.300s", errAgain, answer.Result.Structured)
		}
		return fmt.Errorf("%.600s", answer.Result.Structured)
	}
	if to == nil {
		return nil
	}
	return json.Unmarshal(answer.Result.Structured, to)
}

// post writes by the API under a key, as often as it takes.
func (a *agent) post(path, key, body string) (string, error) {
	var text string
	err := a.try(path, func(ctx context.Context) error {
		response, data, err := a.ask(ctx, "POST", path, http.Header{"Idempotency-Key": {key}}, body)
		if err != nil {
			return err
		}
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("%s %.600s", response.Status, data)
		}
		text = string(data)
		return nil
	})
	return text, err
}

// page stands for a browser: it signs in, listens to events, goes on where it was when it is cut off, and fetches the page again.
type page struct {
	*agent
	cookie string
	mu     sync.Mutex
	place  string   // id of the last event
	seen   []int64  // messages, in the order in which they were told
	ids    []string // of those events
	cuts   int
}

func (l *lab) newPage(token string) *page {
	l.Helper()
	p := &page{agent: &agent{lab: l, name: "page"}}
	err := p.try("signing in", func(ctx context.Context) error {
		form := url.Values{"token": {token}, "next": {"/"}}
		response, data, err := p.ask(ctx, "POST", "/login", http.Header{"Content-Type": {"application/x-www-form-urlencoded"}},
			form.Encode())
		if err != nil {
			return err
		}
		if p.cookie, _, _ = strings.Cut(response.Header.Get("Set-Cookie"), ";"); p.cookie == "" {
			return fmt.Errorf("%s %.300s", response.Status, data)
		}
		return nil
	})
	l.must(err)
	return p
}

// listen hears of events until the context ends.
func (p *page) listen(ctx context.Context) {
	for ; ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+"/api/v1/events?after=0", http.NoBody)
		if err != nil {
			p.Error(err)
			return
		}
		request.Header.Set("Cookie", p.cookie)
		p.mu.Lock()
		if p.place != "" {
			request.Header.Set("Last-Event-ID", p.place)
		}
		p.cuts++
		p.mu.Unlock()
		response, err := p.client.Do(request)
		if err != nil {
			continue
		}
		if response.StatusCode == http.StatusUnauthorized {
			p.Error("the page was signed out")
		}
		if response.StatusCode == http.StatusOK {
			p.read(response.Body)
		}
		response.Body.Close()
	}
}

func (p *page) read(body io.Reader) {
	id := ""
	for lines := bufio.NewScanner(body); lines.Scan(); {
		switch name, value, _ := strings.Cut(lines.Text(), ": "); name {
		case "id":
			id = value
		case "data":
			var event struct {
				Kind    string `json:"kind"`
				Message int64  `json:"message_id"`
			}
			p.mu.Lock()
			if json.Unmarshal([]byte(value), &event) == nil && event.Kind == "message" {
				p.seen, p.ids = append(p.seen, event.Message), append(p.ids, id)
			}
			p.mu.Unlock()
		case "":
			p.mu.Lock()
			p.place = id
			p.mu.Unlock()
		}
	}
}

// last is the message that the page heard of last.
func (p *page) last() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.seen) == 0 {
		return 0
	}
	return p.seen[len(p.seen)-1]
}

// show fetches a page as a browser does.
func (p *page) show(path string) (string, error) {
	var text string
	err := p.try(path, func(ctx context.Context) error {
		response, data, err := p.ask(ctx, "GET", path, http.Header{"Cookie": {p.cookie}, "Accept": {"text/html"}}, "")
		if err == nil && response.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s", response.Status)
		}
		text = string(data)
		return err
	})
	return text, err
}

func number(id string) int64 {
	n, _ := strconv.ParseInt(id, 10, 64)
	return n
}
