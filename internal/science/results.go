package science

import (
	"cmp"
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
)

// Results holds the results of a thread's tests (SCIENCE 2). The zero value is that of an empty thread.
type Results struct {
	Tests       List[*TestResults] // by number; nil for one that the log has not touched
	Given       List[*Result]      // every result and attempt, oldest first
	Withdrawals List[Withdrawal]   // oldest first
	Unordered   bool               `json:",omitzero"` // an import brought origin ids that do not ascend
}

// TestResults is what the log says about one test. It never changes: a message that says more makes a
// new one. Results are named by their number in Given, from 1; 0 for none.
type TestResults struct {
	Latest       int // its latest result or attempt
	Main         int // the result that stands
	R            int
	Replications int // that stand
	Status       string
	Actual       artifact.Map
	Killed       bool
	Potent       bool               // it has a potency check
	Quantity     *quantity.Quantity `json:",omitzero"` // what it measures; nil if its outcomes are labels
	Look         Look
	Looks        []KnownLook `json:",omitzero"` // what was known of the first look, and since when
}

// KnownLook is what was known of a first look from a message on: a later one may tell of a run that began before.
type KnownLook struct {
	MessageID int64
	At        time.Time
	Since     int
	Look      Look
}

// Look is the first look at a test (SCIENCE 3): the first message that told of one, and the earliest start of a
// run that somebody told of. The zero value is none.
type Look struct {
	Place   int
	Started time.Time
}

// Standing says what became of a result.
type Standing string

// What can become of a result (SCIENCE 2, what stands).
const (
	Main        Standing = "main"
	Replication Standing = "replication"
	Replaced    Standing = "replaced"
	Withdrawn   Standing = "withdrawn"
	Attempt     Standing = "attempt" // a run without a result, or a look that stands behind a result that is none
)

// The two words for a control.
const (
	PotencyPassed = "passed"
	PotencyFailed = "failed"
)

// Result is one message's result of one test. Everything in it is its own: outcome, recorder and
// sources of other results are theirs.
type Result struct {
	Test        artifact.ItemID
	Place       int
	MessageID   int64
	Origin      int64 // the message's id wherever the thread travels
	By          string
	At          time.Time
	Convener    bool            `json:",omitzero"` // who recorded it convenes the thread
	Imported    bool            `json:",omitzero"` // its message has lenient intake
	Status      string          `json:",omitzero"` // that its block sets
	Outcome     string          `json:",omitzero"`
	Value       *quantity.Value `json:",omitzero"`
	Unforeseen  string          `json:",omitzero"`
	Exploratory bool            `json:",omitzero"`
	Note        string          `json:",omitzero"`
	Evidence    []string        `json:",omitzero"`
	Performed   string          `json:",omitzero"`
	Potency     string          `json:",omitzero"`
	Replication bool            `json:",omitzero"`
	Replicates  int64           `json:",omitzero"` // origin id; 0 for none, or one that names nothing
	Unknown     bool            `json:",omitzero"` // Replicates names no earlier result of the test
	NoResult    bool            `json:",omitzero"` // blocked or broken: it is no result
	Standing    Standing
	Gone        int `json:",omitzero"` // the place where it was replaced or withdrawn, or its own if it never stood
	ReplacedBy  int // the result that replaced it, by its number
	Replaces    int // the result that it replaced, by its number
	Before      int // the one before it of the same test, by its number
}

// Withdrawal is a message that takes a result away.
type Withdrawal struct {
	Test      artifact.ItemID
	Place     int
	MessageID int64
	By        string
	At        time.Time
	Convener  bool     `json:",omitzero"`
	Origin    int64    // of the result
	Result    int      // by its number; 0 if the test has no such result, or it was withdrawn before
	Known     bool     // the test had such a result
	Reason    string   `json:",omitzero"`
	Evidence  []string `json:",omitzero"`
}

// Advance takes the next message of the thread.
func (r *Results) Advance(s Step) {
	order, blocks := s.testBlocks()
	for _, id := range order {
		t := *r.Test(id)
		r.withdraw(s, id, &t, blocks[id])
		last := lastGiving(blocks[id], t)
		for i := range blocks[id] {
			b := &blocks[id][i]
			if i == last || b.attempt() && !b.skipped && !t.Killed {
				r.take(s, id, &t, b)
			}
			t.Look.run(s, b)
		}
		t.known(s)
		r.Tests.put(id.Number(), &t)
	}
	for _, it := range s.Touched(artifact.DiscriminativeTests) {
		t := *r.Test(it.ID)
		t.Status, t.Actual, t.Killed = it.Text(artifact.Status), it.Map(artifact.ActualOutcomes), !it.Active()
		t.Potent = !protocol.Blank(it.Text(artifact.PotencyCheck))
		t.Quantity = quantityOf(it)
		if !t.equal(r.Test(it.ID)) {
			r.Tests.put(it.ID.Number(), &t)
		}
	}
}

// lastGiving is the last block that gives a result: a message gives a test at most one (SCIENCE 2). It is -1 if
// none does.
func lastGiving(blocks []testBlock, t TestResults) int {
	last := -1
	for i := range blocks {
		b := &blocks[i]
		if b.gives(&t) && (last < 0 || b.run.says()) { // a status or actual outcome is one only while the test has none
			last = i
		}
		if b.status != "" {
			t.Status = b.status
		}
	}
	return last
}

// withdraw carries out the withdrawals of a message, which come before its result and reach killed tests too. An attempt changes no
// result, whatever else it writes.
func (r *Results) withdraw(s Step, id artifact.ItemID, t *TestResults, blocks []testBlock) {
	for i := range blocks {
		b := &blocks[i]
		if !b.run.withdraws.given || b.attempt() {
			continue
		}
		w := Withdrawal{
			Test: id, Place: s.Place, MessageID: s.Message.ID, By: s.Report.From, At: s.Message.CreatedAt, Convener: s.Report.Convener,
			Origin: b.run.withdraws.origin, Reason: b.run.reason, Evidence: evidenceOf(b.Delta, &b.run),
		}
		if n := r.byOrigin(id, t, w.Origin); n > 0 {
			w.Known = true
			if r.Given.At(n).Standing != Withdrawn {
				w.Result = n
				r.takeAway(s, t, n)
			}
		}
		r.Withdrawals.append(w)
	}
}

func (r *Results) takeAway(s Step, t *TestResults, n int) {
	gone := *r.Given.At(n)
	gone.leaves(s.Place)
	if gone.Standing == Replication {
		t.Replications--
	}
	if t.Main == n {
		t.Main = 0 // what it replaced does not come back, and nothing is promoted
	}
	gone.Standing = Withdrawn
	r.Given.put(n, &gone)
}

// byOrigin finds a result of a test by the origin id of its message; 0 if there is none. Origin ids ascend in a thread,
// unless an import says otherwise.
func (r *Results) byOrigin(id artifact.ItemID, t *TestResults, origin int64) int {
	if !r.Unordered {
		all := r.Given.All()
		at, _ := slices.BinarySearchFunc(all, origin, func(g *Result, origin int64) int { return cmp.Compare(g.Origin, origin) })
		for ; at < len(all) && all[at].Origin == origin; at++ {
			if all[at].Test == id && !all[at].NoResult {
				return at + 1
			}
		}
		return 0
	}
	for n := t.Latest; n > 0 && origin > 0; n = r.Given.At(n).Before {
		if g := r.Given.At(n); g.Origin == origin && !g.NoResult {
			return n
		}
	}
	return 0
}

// take adds what a block tells to the results of its test.
func (r *Results) take(s Step, id artifact.ItemID, t *TestResults, b *testBlock) {
	g := resultOf(s, id, b)
	g.Before = t.Latest
	n := r.Given.Len() + 1
	switch main := r.Given.At(t.Main); {
	case g.NoResult:
		g.Standing = Attempt
		g.leaves(s.Place)
	case g.Replication:
		g.Unknown = r.byOrigin(id, t, g.Replicates) == 0
		g.Standing = Replication
		t.Replications++
	case main != nil && g.Exploratory && !main.Exploratory:
		g.Standing = Attempt
		g.leaves(s.Place)
	default:
		g.Standing = Main
		if main != nil {
			old := *main
			old.Standing, old.ReplacedBy, g.Replaces = Replaced, n, t.Main
			old.leaves(s.Place)
			r.Given.put(t.Main, &old)
		}
		t.Main = n
	}
	if last := r.Given.At(r.Given.Len()); last != nil && last.Origin > g.Origin {
		r.Unordered = true
	}
	r.Given.append(g)
	t.Latest = n
	if !g.NoResult {
		t.R = r.first(t.R, n)
		t.Look.message(s.Place)
	}
}

// first is R after a result (SCIENCE 2): the first that is neither exploratory nor failed in potency, else the first
// exploratory one. One whose control failed is a look only.
func (r *Results) first(known, n int) int {
	g := r.Given.At(n)
	if g.Potency == PotencyFailed || known > 0 && (!r.Given.At(known).Exploratory || g.Exploratory) {
		return known
	}
	return n
}

func resultOf(s Step, id artifact.ItemID, b *testBlock) *Result {
	return &Result{
		Test: id, Place: s.Place, MessageID: s.Message.ID, Origin: s.Message.OriginID(), By: s.Report.From, At: s.Message.CreatedAt,
		Convener: s.Report.Convener, Imported: s.Message.Intake == protocol.Lenient,
		Status: b.status, Outcome: b.outcome(), Value: b.run.value, Unforeseen: b.run.unforeseen, Exploratory: b.run.exploratory,
		Note: b.run.note, Evidence: slices.Clone(evidenceOf(b.Delta, &b.run)), Performed: b.run.performed, Potency: b.run.potency,
		Replication: b.run.replicates.given && !b.attempt(), Replicates: b.run.replicates.origin, NoResult: b.attempt(),
	}
}

// outcome is what the block itself gives; an attempt has none.
func (b *testBlock) outcome() string {
	if b.attempt() {
		return ""
	}
	return b.run.outcome
}

// message notes a look that a message told of.
func (l *Look) message(place int) {
	if l.Place == 0 {
		l.Place = place
	}
}

// run notes the start of a run.
func (l *Look) run(s Step, b *testBlock) {
	if b.skipped || b.run.started.IsZero() {
		return
	}
	l.message(s.Place)
	if l.Started.IsZero() || b.run.started.Before(l.Started) {
		l.Started = b.run.started
	}
}

// equal reports whether two say the same of a test.
func (t *TestResults) equal(u *TestResults) bool {
	measures := t.Quantity == nil && u.Quantity == nil || t.Quantity != nil && u.Quantity != nil && *t.Quantity == *u.Quantity
	return measures && t.Latest == u.Latest && t.Status == u.Status && t.Killed == u.Killed && t.Potent == u.Potent &&
		slices.Equal(t.Actual, u.Actual)
}

// quantityOf is what a test measures. Another form than that of SCIENCE 4 is read as not there.
func quantityOf(it *artifact.Item) *quantity.Quantity {
	raw, ok := it.Get(artifact.Quantity).(artifact.JSON)
	if !ok {
		return nil
	}
	q, err := quantity.Read([]byte(raw))
	if err != nil {
		return nil
	}
	return &q
}

// Follows reports whether the look came after a message, which could not know then what was seen (SCIENCE 3, looks).
func (l Look) Follows(place int, at time.Time) bool {
	return l.Place == 0 || place < l.Place && (l.Started.IsZero() || at.Before(l.Started))
}

// Test returns what is known of a test; never nil.
func (r *Results) Test(id artifact.ItemID) *TestResults {
	if t := r.Tests.At(id.Number()); t != nil {
		return t
	}
	return &TestResults{}
}

// stands reports whether the test has a result that stands.
func (t *TestResults) stands() bool { return t.Main > 0 || t.Replications > 0 }

// Stands returns the main result of a test, nil if none stands: marks and belief go by it.
func (r *Results) Stands(id artifact.ItemID) *Result { return r.Given.At(r.Test(id).Main) }

// Shown returns the result that a page shows of a test: the main one, else the first replication that stands; nil if none
// does.
func (r *Results) Shown(id artifact.ItemID) *Result {
	if main := r.Stands(id); main != nil || r.Test(id).Replications == 0 {
		return main
	}
	for _, g := range r.Of(id) {
		if g.Standing == Replication {
			return g
		}
	}
	return nil
}

// R returns the result that states and counts of predictions go by, nil without one.
func (r *Results) R(id artifact.ItemID) *Result { return r.Given.At(r.Test(id).R) }

// FirstLook returns the first look at a test: its table and calibration go by it.
func (r *Results) FirstLook(id artifact.ItemID) Look { return r.Test(id).Look }

// latest is the place of the latest result or attempt, 0 without one.
func (r *Results) latest() int {
	if last := r.Given.At(r.Given.Len()); last != nil {
		return last.Place
	}
	return 0
}

// Of returns the results and attempts of a test, oldest first.
func (r *Results) Of(id artifact.ItemID) []*Result {
	var list []*Result
	for n := r.Test(id).Latest; n > 0; n = r.Given.At(n).Before {
		list = append(list, r.Given.At(n))
	}
	slices.Reverse(list)
	return list
}

// GivenBy returns the tests that a message gave a result (SCIENCE 2, a result).
func (r *Results) GivenBy(messageID int64) []artifact.ItemID {
	var tests []artifact.ItemID
	for _, g := range r.Given.All() {
		if g.MessageID == messageID && !g.NoResult {
			tests = append(tests, g.Test)
		}
	}
	return tests
}

// leaves notes where a result stopped to stand.
func (g *Result) leaves(place int) {
	if g.Gone == 0 {
		g.Gone = place
	}
}

// stood reports whether a result stood behind the message at a place.
func (g *Result) stood(place int) bool { return g.Place <= place && (g.Gone == 0 || g.Gone > place) }

// known keeps what is known of the first look from a message on.
func (t *TestResults) known(s Step) {
	if last := len(t.Looks) - 1; t.Look.Place > 0 && (last < 0 || t.Looks[last].Look != t.Look) {
		t.Looks = append(slices.Clip(t.Looks), KnownLook{s.Message.ID, s.Message.CreatedAt, s.Place, t.Look})
	}
}

// look is what was known of the first look behind the message at a place.
func (t *TestResults) look(place int) Look {
	for _, l := range slices.Backward(t.Looks) {
		if l.Since <= place {
			return l.Look
		}
	}
	return Look{}
}

// stands reports whether a result stands.
func (g *Result) stands() bool { return g.Standing == Main || g.Standing == Replication }

// Text is what the result says, for a reader; empty if it says no more than that there is one.
func (g *Result) Text() string {
	switch {
	case g.Outcome != "":
		return g.Outcome
	case g.Value != nil:
		return g.Value.Text()
	}
	return g.Unforeseen
}

// Snapshot returns the register as it is now. Neither the register nor the snapshot, nor a copy of
// either, changes the others from then on.
func (r *Results) Snapshot() *Results {
	return &Results{r.Tests.snapshot(), r.Given.snapshot(), r.Withdrawals.snapshot(), r.Unordered}
}
