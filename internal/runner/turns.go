package runner

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"brenner/internal/atomicfile"
	"brenner/internal/protocol"
	"brenner/internal/turn"
)

// TurnRef names a turn of an agent: one attempt at a round.
type TurnRef struct {
	ThreadID string    `json:"thread_id"`
	Round    int       `json:"round"`
	Agent    string    `json:"agent"`
	Attempt  int       `json:"attempt"`
	Program  string    `json:"program"`
	Begun    time.Time `json:"begun"`
	EndedAt  time.Time `json:"ended_at"` // zero: it is at work, or its end was not seen
	End      Ending    `json:"ended"`
	ExitCode *int      `json:"exit_code"`
}

// Played is a turn with what the program did.
type Played struct {
	TurnRef
	turn.Turn
	Calls  int    `json:"calls"` // of tools
	Failed int    `json:"failed_calls"`
	Last   string `json:"last_words"`
}

// sumUp counts what a list of turns shows of each.
func (p *Played) sumUp() {
	p.Calls, p.Failed, p.Last = 0, len(p.FailedCalls()), p.LastWords()
	for _, s := range p.Steps {
		if s.Kind == turn.Call {
			p.Calls++
		}
	}
}

// span is an earlier attempt of an agent at a round.
type span struct {
	Begun    time.Time `json:"begun"`
	EndedAt  time.Time `json:"ended_at"`
	End      Ending    `json:"ended"`
	ExitCode *int      `json:"exit_code"`
}

// refs names the attempts of an agent at a round.
func (r *agentRecord) refs(thread string, round int, agent string) []TurnRef {
	var list []TurnRef
	for i, s := range append(slices.Clone(r.Earlier), span{r.Begun, r.EndedAt, r.End, r.ExitCode}) {
		attempt := r.Attempts - len(r.Earlier) + i
		if attempt > 0 {
			list = append(list, TurnRef{thread, round, agent, attempt, r.Program, s.Begun, s.EndedAt, s.End, s.ExitCode})
		}
	}
	return list
}

// maxEarlier is how many earlier attempts are remembered.
const maxEarlier = 100

// readTurn reads what a program has printed so far.
func (f folder) readTurn(round int, agent string) (turn.Turn, error) {
	file, err := os.Open(f.output(round, agent))
	if errors.Is(err, fs.ErrNotExist) {
		return turn.Of(nil), nil
	}
	if err != nil {
		return turn.Turn{}, protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return turn.Turn{}, protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	var output io.Reader = file
	if info.Size() > keptOutput { // it is being printed: the middle may have been given back
		output = io.MultiReader(io.NewSectionReader(file, 0, keptOutput/2), strings.NewReader("\n"),
			io.NewSectionReader(file, info.Size()-keptOutput/2, keptOutput/2))
	}
	t, err := turn.Read(output)
	if err != nil {
		return t, protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	return t, nil
}

// played is the turn of the latest attempt, with its prompt.
func (f folder) played(thread string, round int, agent string, rec *agentRecord) (Played, error) {
	p := Played{TurnRef: TurnRef{
		ThreadID: thread, Round: round, Agent: agent, Attempt: rec.Attempts, Program: rec.Program,
		Begun: rec.Begun, EndedAt: rec.EndedAt, End: rec.End, ExitCode: rec.ExitCode,
	}}
	var err error
	if p.Turn, err = f.readTurn(round, agent); err != nil {
		return p, err
	}
	if slices.ContainsFunc(p.Steps, func(s turn.Step) bool { return s.Kind == turn.Prompt }) {
		return p, nil
	}
	prompt, err := os.ReadFile(filepath.Join(f.file(round, agent, ""), "prompt.md"))
	if err == nil && len(prompt) > 0 {
		p.Steps = append([]turn.Step{{Kind: turn.Prompt, Text: string(prompt)}}, p.Steps...)
	}
	return p, nil
}

// keepTurn writes down what a program did, and adds what it cost to the record.
func (r *run) keepTurn(round int, by participant, rec *agentRecord) error {
	agent := by.name
	p, err := r.folder.played(r.o.ThreadID, round, agent, rec)
	if err != nil {
		return err
	}
	p.Usage = r.cost(by.program, &p.Turn, len(promptOf(p.Steps)))
	r.settled(agent)
	if p.Format == "acp" && p.Session != "" {
		rec.Session = p.Session
	}
	if p.Usage != nil {
		if rec.Usage == nil {
			rec.Usage = &turn.Usage{}
		}
		rec.Usage.Add(*p.Usage)
		if err := r.enter(by, *p.Usage); err != nil {
			return err
		}
	}
	data, err := json.Marshal(p)
	if err == nil {
		err = atomicfile.Write(r.folder.file(round, agent, turnFile), append(data, '\n'), 0o600)
	}
	if err != nil {
		return protocol.Errorf(protocol.Unwritable, "the turn cannot be kept: %w", err)
	}
	return nil
}

// turnFile ends the name of the file with an agent's turn. Those of earlier attempts have their number behind it.
const turnFile = ".turn"

// TurnQuery asks for turns of a thread. The zero value of each part stands for all.
type TurnQuery struct {
	ThreadID string
	Agent    string
	Round    int
	Message  time.Time // the turn in which a message of this time was written; zero: any
}

// TurnRefs names the turns of a thread's runs, in the order of rounds, agents and attempts. A thread that was
// never run has none.
func TurnRefs(root string, q TurnQuery) ([]TurnRef, error) {
	if !filepath.IsLocal(q.ThreadID) || strings.ContainsAny(q.ThreadID, `/\`) {
		return nil, protocol.Errorf(protocol.NotFound, "there is no thread %q", q.ThreadID)
	}
	f := folder{filepath.Join(root, ".brenner", "run", q.ThreadID)}
	rounds, err := f.rounds()
	if err != nil {
		return nil, err
	}
	var list []TurnRef
	for _, n := range rounds {
		if q.Round != 0 && q.Round != n {
			continue
		}
		agents, err := f.players(n)
		if err != nil {
			return nil, err
		}
		for _, agent := range agents {
			if q.Agent != "" && !protocol.SameAgent(q.Agent, agent) {
				continue
			}
			var rec agentRecord
			if err := load(f.file(n, agent, ".json"), &rec); err != nil {
				return nil, err
			}
			for _, ref := range rec.refs(q.ThreadID, n, agent) {
				if q.Message.IsZero() || ref.Wrote(agent, q.Message) {
					list = append(list, ref)
				}
			}
		}
	}
	return list, nil
}

// ReadTurn reads what a program did in a turn; one at work as far as it is.
func ReadTurn(root string, ref TurnRef) (Played, error) {
	f := folder{filepath.Join(root, ".brenner", "run", ref.ThreadID)}
	var rec agentRecord
	if err := load(f.file(ref.Round, ref.Agent, ".json"), &rec); err != nil {
		return Played{}, err
	}
	path := f.file(ref.Round, ref.Agent, turnFile)
	if ref.Attempt < rec.Attempts {
		path += "." + strconv.Itoa(ref.Attempt)
	}
	p := Played{}
	if err := load(path, &p); err != nil {
		return p, err
	}
	if p.Attempt == 0 && ref.Attempt == rec.Attempts {
		var err error
		if p, err = f.played(ref.ThreadID, ref.Round, ref.Agent, &rec); err != nil {
			return p, err
		}
	}
	p.TurnRef = ref
	if p.Steps == nil {
		p.Steps = []turn.Step{}
	}
	p.sumUp()
	return p, nil
}

// maxTurnBytes bounds the texts in an answer about several turns (PROTOCOL 16).
const maxTurnBytes = 4 << 20

// Turns reads turns: whole as long as there is room, of the others the counts.
func Turns(root string, q TurnQuery) ([]Played, error) {
	return turnsWithin(root, q, maxTurnBytes)
}

// TurnList reads turns without their steps.
func TurnList(root string, q TurnQuery) ([]Played, error) { return turnsWithin(root, q, 0) }

func turnsWithin(root string, q TurnQuery, room int) ([]Played, error) {
	refs, err := TurnRefs(root, q)
	if err != nil {
		return nil, err
	}
	var list []Played
	for _, ref := range refs {
		p, err := ReadTurn(root, ref)
		if err != nil {
			return nil, err
		}
		for i, s := range p.Steps {
			if room -= len(s.Text); room < 0 {
				p.More, p.Steps = p.More+len(p.Steps)-i, slices.Clone(p.Steps[:i])
				break
			}
		}
		list = append(list, p)
	}
	return list, nil
}

// Wrote tells whether a message of an agent and a time was written in the turn. What an agent printed is posted
// a moment after its end.
func (r *TurnRef) Wrote(agent string, at time.Time) bool {
	const moment = time.Minute
	return protocol.SameAgent(r.Agent, agent) && !at.Before(r.Begun) && (r.EndedAt.IsZero() || !at.After(r.EndedAt.Add(moment)))
}

// rounds lists the numbers of the rounds that have a folder.
func (f folder) rounds() ([]int, error) {
	entries, err := os.ReadDir(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	var list []int
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), "round-")
		if n, err := strconv.Atoi(number); ok && err == nil && n > 0 && e.IsDir() {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list, nil
}

// players lists who has a record in a round.
func (f folder) players(round int) ([]string, error) {
	entries, err := os.ReadDir(f.round(round))
	if err != nil {
		return nil, protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	var list []string
	for _, e := range entries {
		if agent, ok := strings.CutSuffix(e.Name(), ".json"); ok && !e.IsDir() {
			list = append(list, agent)
		}
	}
	return list, nil
}
