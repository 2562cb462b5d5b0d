package notify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"brenner/internal/protocol"
)

// Event is what a person is told of.
type Event string

// The events.
const (
	Gate      Event = "gate"      // a run asks whether to play the next round
	Question  Event = "question"  // a QUESTION or BLOCKED waits for the operator
	Asks      Event = "asks"      // the program of an agent waits for a person's answer, or for being signed in
	Dead      Event = "dead"      // the program of an agent ended, and it had not done its part
	Stalled   Event = "stalled"   // an agent is silent, waits in its pane, or a run ended before its work was done
	Converged Event = "converged" // a run has nothing more to do
	Budget    Event = "budget"    // what a run may cost is spent
)

// Notice is something to tell. Its text holds what agents wrote.
type Notice struct {
	Event    Event     `json:"event"`
	ThreadID string    `json:"thread_id"`
	Agent    string    `json:"agent"`
	Text     string    `json:"text"`
	Command  string    `json:"command"` // that deals with it; empty: nothing has to be done
	At       time.Time `json:"at"`

	Key string `json:"-"` // the same thing has the same key; empty: it is told whenever it comes
}

// Options say how to tell. The zero value tells nothing.
type Options struct {
	On      []Event   // empty: all
	Command []string  // words; one that is {event}, {thread}, {agent} or {text} as a whole is replaced
	Webhook string    // address on this machine
	Bell    io.Writer // a terminal; nil: none
	Folder  string    // keeps what was told; empty: nothing is kept
	Project string    // where the command runs
}

// Notifier tells. Safe for concurrent use.
type Notifier struct{ options Options }

// The bounds of one telling.
const (
	patience    = 10 * time.Second
	rememberFor = 7 * 24 * time.Hour
	maxText     = 500
)

// New makes a notifier. INVALID_CONFIG: the webhook is not on this machine.
func New(o Options) (*Notifier, error) {
	if o.Webhook != "" {
		if err := CheckWebhook(o.Webhook); err != nil {
			return nil, err
		}
	}
	return &Notifier{o}, nil
}

// Silent tells whether there is no way to tell anything.
func (n *Notifier) Silent() bool {
	return n == nil || len(n.options.Command) == 0 && n.options.Webhook == "" && n.options.Bell == nil
}

// CheckWebhook refuses addresses that lead away from this machine.
func CheckWebhook(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.User != nil || !loopback(u.Hostname()) {
		return protocol.Errorf(protocol.InvalidConfig,
			"notify.webhook is an address on this machine, such as http://127.0.0.1:9000/brenner: nothing leaves it")
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Tell tells of something that the options ask for, unless it was told before. What cannot be told comes back as an
// error, for a log.
func (n *Notifier) Tell(ctx context.Context, notice Notice) error {
	if n.Silent() || len(n.options.On) > 0 && !slices.Contains(n.options.On, notice.Event) {
		return nil
	}
	notice.Text = tidy(notice.Text)
	if n.options.Bell != nil { // every terminal rings for itself
		_, _ = n.options.Bell.Write([]byte{'\a'})
	}
	if !n.claim(notice) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return errors.Join(n.run(ctx, notice), n.post(ctx, notice))
}

// tidy makes one short line of a text, without what could drive a terminal.
func tidy(text string) string {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))), " ")
	return protocol.Shorten(text, maxText)
}

// claim tells whether this process is the first to tell. Where that cannot be noted, it is.
func (n *Notifier) claim(notice Notice) bool {
	if notice.Key == "" || n.options.Folder == "" || len(n.options.Command) == 0 && n.options.Webhook == "" {
		return true
	}
	if err := os.MkdirAll(n.options.Folder, 0o700); err != nil {
		return true
	}
	n.forget()
	sum := sha256.Sum256([]byte(notice.Key))
	f, err := os.OpenFile(filepath.Join(n.options.Folder, hex.EncodeToString(sum[:16])), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return !errors.Is(err, fs.ErrExist)
	}
	return f.Close() == nil
}

// forget drops old claims.
func (n *Notifier) forget() {
	entries, _ := os.ReadDir(n.options.Folder) // what cannot be listed is kept
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > rememberFor {
			_ = os.Remove(filepath.Join(n.options.Folder, e.Name()))
		}
	}
}

// run runs the command, with the notice as JSON on its input. Values are whole arguments, never part of one (PROTOCOL 16).
func (n *Notifier) run(ctx context.Context, notice Notice) error {
	if len(n.options.Command) == 0 {
		return nil
	}
	values := map[string]string{"{event}": string(notice.Event), "{thread}": notice.ThreadID, "{agent}": notice.Agent,
		"{text}": notice.Text}
	words := slices.Clone(n.options.Command)
	for i, word := range words[1:] {
		if value, ok := values[word]; ok {
			words[i+1] = value
		}
	}
	input, err := json.Marshal(notice)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Stdin, cmd.WaitDelay = n.options.Project, bytes.NewReader(append(input, '\n')), time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return protocol.Errorf(protocol.Internal, "the command of notify failed: %w: %s", err, tidy(string(out)))
	}
	return nil
}

// post sends the notice to a program on this machine: no proxy, no redirection, and no name that leads elsewhere.
func (n *Notifier) post(ctx context.Context, notice Notice) error {
	if n.options.Webhook == "" {
		return nil
	}
	body, err := json.Marshal(notice)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, n.options.Webhook, bytes.NewReader(body))
	if err != nil {
		return protocol.Errorf(protocol.Internal, "%w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	client := &http.Client{
		Transport:     &http.Transport{DialContext: dialLoopback, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Do(request)
	if err != nil {
		return protocol.Errorf(protocol.Internal, "the webhook of notify does not answer: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		return protocol.Errorf(protocol.Internal, "the webhook of notify answers %s", answer.Status)
	}
	return nil
}

func dialLoopback(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if host == "localhost" { // whatever a resolver says
		host = "127.0.0.1"
	}
	if !loopback(host) {
		return nil, errors.New("not on this machine")
	}
	var d net.Dialer
	return d.DialContext(ctx, network, net.JoinHostPort(host, port))
}
