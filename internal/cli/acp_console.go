package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"brenner/internal/acp"
	"brenner/internal/termtext"
)

// console is the person at a terminal in which an agent works: they see what it does, answer what it asks, type what it is asked next, and
// interrupt it with Escape.
type console struct {
	out       io.Writer
	release   func()
	lines     chan string
	interrupt func() // the turn that goes on; nil: there is no agent yet

	mu     sync.Mutex
	typed  []byte
	choice chan int // takes the choice of the question that is asked; nil: nothing is
	most   int      // how many choices it has
}

// newConsole takes hold of the terminal. The goroutine that reads it lives as long as the process.
func newConsole(s Streams) *console {
	c := &console{out: s.Out, release: func() {}, lines: make(chan string, 16)}
	if s.Keyboard != nil {
		c.release = s.Keyboard.Hold()
	}
	go func() {
		keys := make([]byte, 4096)
		for {
			n, err := s.In.Read(keys)
			if err != nil {
				return
			}
			c.press(keys[:n])
		}
	}()
	return c
}

// The keys that mean something.
const (
	keyEscape = "\x1b"
	pasteOpen = "\x1b[200~"
	pasteShut = "\x1b[201~"
)

// press takes in keys as the terminal hands them over: one alone, or all of a sequence or a paste.
func (c *console) press(keys []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch n, err := strconv.Atoi(string(keys)); {
	case c.choice != nil && err == nil && n >= 1 && n <= c.most:
		c.choice <- n
		c.choice = nil
		return
	case string(keys) == keyEscape:
		if c.interrupt != nil {
			go c.interrupt()
		}
		return
	case bytes.HasPrefix(keys, []byte(pasteOpen)):
		text := strings.TrimSuffix(strings.TrimPrefix(string(keys), pasteOpen), pasteShut)
		keys = []byte(strings.Join(strings.Fields(text), " "))
	case bytes.HasPrefix(keys, []byte(keyEscape)):
		return
	}
	for _, b := range keys {
		c.key(b)
	}
}

func (c *console) key(b byte) {
	switch {
	case b == '\n' || b == '\r':
		text := strings.TrimSpace(strings.ToValidUTF8(string(c.typed), ""))
		c.typed = c.typed[:0]
		c.print("\n")
		if text == "" {
			return
		}
		select {
		case c.lines <- text:
		default: // so many lines wait already that one more helps nobody
		}
	case b == '\b' || b == 0x7f:
		if _, size := utf8.DecodeLastRune(c.typed); len(c.typed) > 0 {
			c.typed = c.typed[:len(c.typed)-size]
			c.print("\b \b")
		}
	case b >= ' ':
		c.typed = append(c.typed, b)
		c.print(string(b))
	}
}

// print writes what is our own; say what an agent wrote.
func (c *console) print(text string) { _, _ = io.WriteString(c.out, text) } // without a screen the agent still works

func (c *console) say(text string) {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(termtext.VisibleWithTabs(line))
	}
	c.print(b.String())
}

// clearScreen takes what was asked from the screen, which shows what an agent needs.
const clearScreen = "\x1b[2J\x1b[H"

// ask asks for consent, and waits for the key of a choice, or for the end of the turn. Empty: it was not answered.
func (c *console) ask(ctx context.Context, q acp.Question) string {
	chosen := make(chan int, 1)
	c.mu.Lock()
	c.choice, c.most = chosen, len(q.Options)
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.choice = nil
		c.mu.Unlock()
		c.print(clearScreen)
	}()
	c.print("\n")
	c.say(q.Text)
	c.print("\nMay it do this?\n")
	for i, o := range q.Options {
		mark := " "
		if i == 0 {
			mark = "❯"
		}
		c.print(fmt.Sprintf("%s %d. ", mark, i+1))
		c.say(o.Text)
		c.print("\n")
	}
	select {
	case n := <-chosen:
		return q.Options[n-1].ID
	case <-ctx.Done():
		return ""
	}
}

func (c *console) opened(o opening) {
	begun := "a new session"
	if o.GoesOn {
		begun = "goes on with its session"
	}
	c.say(fmt.Sprintf("· %s, %s %s. Type a line to ask it something; Escape interrupts it.", o.Program, begun, o.Session))
	c.print("\n")
}

func (c *console) asked(text string) {
	first, _, more := strings.Cut(text, "\n")
	c.print("\n› ")
	c.say(first)
	if more {
		c.print(" …")
	}
	c.print("\n\n")
}

func (c *console) heard(update json.RawMessage) {
	var u struct {
		Kind    string `json:"sessionUpdate"`
		Title   string `json:"title"`
		Status  string `json:"status"`
		Content json.RawMessage
	}
	if json.Unmarshal(update, &u) != nil {
		return
	}
	switch u.Kind {
	case "agent_message_chunk":
		var piece struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(u.Content, &piece) == nil {
			c.say(piece.Text)
		}
	case "tool_call":
		c.print("\n· ")
		c.say(oneLineOf(u.Title))
		c.print("\n")
	case "tool_call_update":
		if u.Status == "failed" {
			c.print("· that failed\n")
		}
	}
}

func (c *console) consented(question, answer, _ string) {
	c.print("· ")
	c.say(oneLineOf(question) + ": " + oneLineOf(answer))
	c.print("\n")
}

func (c *console) ended(e acp.Ending, dollars float64) {
	text := "its turn is over"
	if e.Stop != "end_turn" {
		text += " (" + oneLineOf(e.Stop) + ")"
	}
	if e.Spent != nil {
		text += fmt.Sprintf(", %d tokens", e.Spent.Input+e.Spent.Output)
	}
	if dollars > 0 {
		text += fmt.Sprintf(", $%.4f", dollars)
	}
	c.print("\n\n")
	c.say("· " + text + ". It waits for mail, or for a line of yours.")
	c.print("\n")
}

func (c *console) failed(err error) {
	c.print("\n")
	c.say("· " + err.Error())
	c.print("\n")
}

func oneLineOf(text string) string { return strings.Join(strings.Fields(text), " ") }
