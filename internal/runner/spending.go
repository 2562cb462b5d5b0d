package runner

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"brenner/internal/mail"
	"brenner/internal/program"
	"brenner/internal/protocol"
	"brenner/internal/turn"
)

// Price is what a program costs that tells no dollars, for a million tokens.
type Price struct {
	Input  float64 // that is not cached
	Cached float64
	Output float64
}

// of is what a turn cost.
func (p Price) of(u turn.Usage) float64 {
	const million = 1e6
	return (float64(u.InputTokens-u.CachedTokens)*p.Input + float64(u.CachedTokens)*p.Cached + float64(u.OutputTokens)*p.Output) / million
}

// cost is what a turn has come to: as its stream says, for a turn that was cut off as the program's own notes say, else estimated. A
// program that tells no dollars has its price. nil: nothing is known.
func (r *run) cost(name string, t *turn.Turn, prompt int) *turn.Usage {
	u := t.Spent(prompt)
	if u != nil && u.Estimated {
		if noted := turn.OfSession(program.ReadSession(program.SessionFile(name, t.Session, os.Getenv))); noted != nil {
			u = noted
		}
	}
	if price, known := r.o.Prices[name]; u != nil && u.Dollars == nil && known {
		u.Dollars = new(price.of(*u))
	}
	return u
}

// uses hears what a program at work has used, and tells whether a budget is spent by it.
func (r *run) uses(p participant, t *turn.Turn, prompt int) (string, bool) {
	if k := r.kept(); !k.limitedInCost() {
		return "", false
	}
	u := r.cost(p.program, t, prompt)
	if u == nil {
		return "", false
	}
	r.mu.Lock()
	r.atWork[mail.NameKey(p.name)] = *u
	r.mu.Unlock()
	why, over, err := r.overspent(p.name)
	return why, over && err == nil
}

// settled forgets what a program at work has used: it is in its record.
func (r *run) settled(agent string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.atWork, mail.NameKey(agent))
}

// underWay is what the programs at work have used, or one of them.
func (r *run) underWay(agent string) turn.Usage {
	r.mu.Lock()
	defer r.mu.Unlock()
	var sum turn.Usage
	for name, u := range r.atWork {
		if agent == "" || name == mail.NameKey(agent) {
			sum.Add(u)
		}
	}
	return sum
}

func (k *Kept) limitedInCost() bool {
	return k.Budget != Budget{} || k.AgentBudget != Budget{} || k.DayBudget != Budget{}
}

const ofToday = " of today"

// overspent tells whether a budget is used up: that of the run, of the day, or of an agent.
func (r *run) overspent(agent string) (string, bool, error) {
	k := r.kept()
	if !k.limitedInCost() {
		return "", false, nil
	}
	for _, b := range []struct {
		budget Budget
		of     string
		whose  string
	}{{k.Budget, "", ""}, {k.AgentBudget, " of " + agent, agent}, {k.DayBudget, ofToday, ""}} {
		if b.budget == (Budget{}) || b.of == " of " {
			continue
		}
		sum, err := r.usage(b.whose)
		if b.of == ofToday {
			sum, err = SpentToday(r.o.Root, r.mail.Now())
		}
		if err != nil {
			return "", false, err
		}
		sum.Add(r.underWay(b.whose))
		if how, over := b.budget.spent(sum); over {
			return how + b.of, true, nil
		}
	}
	return "", false, nil
}

// usage sums up what the programs of the run, or of one of its agents, say they used in turns that are over.
func (r *run) usage(agent string) (turn.Usage, error) {
	var sum turn.Usage
	for n := r.record.FirstRound; n <= r.latestRound(); n++ {
		r.mu.Lock()
		names := append([]string{}, r.history.round(n).order...)
		r.mu.Unlock()
		for _, name := range names {
			if agent != "" && !protocol.SameAgent(agent, name) {
				continue
			}
			var rec agentRecord
			if err := load(r.folder.file(n, name, ".json"), &rec); err != nil {
				return sum, err
			}
			if rec.Usage != nil {
				sum.Add(*rec.Usage)
			}
		}
	}
	return sum, nil
}

// expense is a line of the book in which every turn of the project's runs on this machine is entered.
type expense struct {
	At     time.Time  `json:"at"`
	Thread string     `json:"thread"`
	Agent  string     `json:"agent"`
	Usage  turn.Usage `json:"usage"`
}

func bookOf(root string) string { return filepath.Join(root, ".brenner", "run-spent.jsonl") }

// enter writes what a turn cost into the book.
func (r *run) enter(p participant, u turn.Usage) error {
	line, err := json.Marshal(expense{r.mail.Now().UTC(), r.o.ThreadID, p.name, u})
	if err != nil {
		return protocol.Errorf(protocol.Internal, "%w", err)
	}
	f, err := os.OpenFile(bookOf(r.o.Root), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return protocol.Errorf(protocol.Unwritable, "what was spent cannot be noted: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if err := errors.Join(err, f.Close()); err != nil {
		return protocol.Errorf(protocol.Unwritable, "what was spent cannot be noted: %w", err)
	}
	return nil
}

// SpentToday is what the runs of a project have cost on this machine since midnight, in turns that are over.
func SpentToday(root string, now time.Time) (turn.Usage, error) {
	var sum turn.Usage
	f, err := os.Open(bookOf(root))
	if errors.Is(err, fs.ErrNotExist) {
		return sum, nil
	}
	if err != nil {
		return sum, protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	defer f.Close()
	today := now.Local().Format(time.DateOnly)
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var e expense
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.At.Local().Format(time.DateOnly) == today {
			sum.Add(e.Usage)
		}
	}
	return sum, nil
}

// Payable refuses a budget in dollars where a program tells none and has no price: it would never end the run.
func (k Kept) Payable(known *program.Catalog, prices map[string]Price, programs []string) error {
	if k.Budget.Dollars == 0 && k.AgentBudget.Dollars == 0 && k.DayBudget.Dollars == 0 {
		return nil
	}
	var mute []string
	for _, name := range programs {
		if _, priced := prices[name]; !priced && !known.TellsDollars(name) {
			mute = append(mute, name)
		}
	}
	if len(mute) == 0 {
		return nil
	}
	return protocol.Errorf(protocol.InvalidInput,
		"a budget in dollars cannot be kept: %s tells no dollars, and "+
			"run.prices of the settings has no price for it; give a budget in tokens",
		strings.Join(mute, ", "))
}

// promptSize is how long the prompt of an agent in a round is.
func (f folder) promptSize(round int, agent string) int {
	info, err := os.Stat(filepath.Join(f.file(round, agent, ""), "prompt.md"))
	if err != nil {
		return 0
	}
	return int(info.Size())
}

// promptOf is the prompt of a turn.
func promptOf(steps []turn.Step) string {
	for _, s := range steps {
		if s.Kind == turn.Prompt {
			return s.Text
		}
	}
	return ""
}

// String is the budget as a person gives it.
func (b Budget) String() string {
	switch {
	case b.Dollars > 0:
		return fmt.Sprintf("$%g", b.Dollars)
	case b.Tokens > 0:
		return fmt.Sprint(b.Tokens)
	}
	return ""
}
