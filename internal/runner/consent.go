package runner

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"brenner/internal/protocol"
)

// Consent is what the program of an agent asks its person for in a round. Its texts are hostile.
type Consent struct {
	Text    string    `json:"text"`
	Choices []Choice  `json:"choices"`
	Since   time.Time `json:"since"`
	ID      string    `json:"id"` // of the question: an answer is to this one alone
}

// Choice is a key that answers, and what it means.
type Choice struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

// answerRecord is a person's answer.
type answerRecord struct {
	ID  string `json:"id"`
	Key string `json:"key"`
}

// The files of a question, in the private folder of an agent in a round.
const (
	askedFile    = "asked.json"
	answeredFile = "answered.json"
	answerPace   = 100 * time.Millisecond
)

// AskPerson puts a question to the person who runs things, from the private folder of an agent, and waits for the key that answers it.
// Empty: nobody answered before the context ended. One question is asked at a time.
func AskPerson(ctx context.Context, folder string, c Consent) (key string, err error) {
	asked, answered := filepath.Join(folder, askedFile), filepath.Join(folder, answeredFile)
	c.ID, c.Since = rand.Text(), time.Now()
	if err := save(asked, c); err != nil {
		return "", err
	}
	defer os.Remove(asked)
	tick := time.NewTicker(answerPace)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", nil
		case <-tick.C:
		}
		var a answerRecord
		if err := load(answered, &a); err == nil && a.ID == c.ID {
			return a.Key, nil
		}
	}
}

// asks is what the program of an agent asks for; nil: nothing.
func (f folder) asks(round int, agent string) *Consent {
	var c Consent
	path := filepath.Join(f.file(round, agent, ""), askedFile)
	if err := load(path, &c); err != nil || c.ID == "" {
		return nil
	}
	return &c
}

// Answer answers what the program of an agent asks for in the latest round of a run. NOT_FOUND: it asks for nothing. INVALID_INPUT: the
// key answers nothing.
func Answer(root, thread, agent, key string) error {
	state, _, err := Look(root, thread)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(state.Agents, func(a AgentState) bool { return protocol.SameAgent(a.Agent, agent) })
	if i < 0 || state.Agents[i].Asks == nil {
		return protocol.Errorf(protocol.NotFound, "%s has no pane for %s here, and its program asks for nothing", agent, thread)
	}
	a := state.Agents[i]
	if !slices.ContainsFunc(a.Asks.Choices, func(c Choice) bool { return c.Key == key }) {
		return protocol.Errorf(protocol.InvalidInput, "the key %s answers nothing: %s asks %q", key, a.Agent, a.Asks.Text)
	}
	f := runFolder(root, thread)
	return save(filepath.Join(f.file(a.Round, a.Agent, ""), answeredFile), answerRecord{a.Asks.ID, key})
}

// unasked removes what an earlier program asked.
func (f folder) unasked(round int, agent string) error {
	for _, name := range []string{askedFile, answeredFile} {
		if err := os.Remove(filepath.Join(f.file(round, agent, ""), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return protocol.Errorf(protocol.Unwritable, "%w", err)
		}
	}
	return nil
}
