package artifact

import "strconv"

// Section is one of the seven sections, in the order of the artifact.
type Section uint8

// The sections (PROTOCOL 6).
const (
	ResearchThread Section = iota
	HypothesisSlate
	PredictionsTable
	DiscriminativeTests
	AssumptionLedger
	AnomalyRegister
	AdversarialCritique
	sectionCount
)

// MaxActiveHypotheses and MaxItems are the limits of a section (PROTOCOL 6).
const (
	MaxActiveHypotheses = 6
	MaxItems            = 10_000
)

// Size limits in bytes (PROTOCOL 6).
const (
	MaxFieldBytes   = 64 << 10
	MaxBlockBytes   = 256 << 10
	MaxMessageBytes = 1 << 20
	MaxBlocks       = 1000 // of a message
)

var sectionNames = [sectionCount]struct{ id, prefix, title, stat string }{
	{"research_thread", "RT", "Research Thread", ""},
	{"hypothesis_slate", "H", "Hypothesis Slate", "hypotheses"},
	{"predictions_table", "P", "Predictions Table", "predictions"},
	{"discriminative_tests", "T", "Discriminative Tests", "tests"},
	{"assumption_ledger", "A", "Assumption Ledger", "assumptions"},
	{"anomaly_register", "X", "Anomaly Register", "anomalies"},
	{"adversarial_critique", "C", "Adversarial Critique", "critiques"},
}

// Sections returns all seven in order.
func Sections() []Section {
	return []Section{
		ResearchThread, HypothesisSlate, PredictionsTable, DiscriminativeTests,
		AssumptionLedger, AnomalyRegister, AdversarialCritique,
	}
}

// ParseSection finds a section by its exact id.
func ParseSection(id string) (Section, bool) {
	for s := range sectionNames {
		if sectionNames[s].id == id {
			return Section(s), true
		}
	}
	return 0, false
}

// String returns the section's id, such as hypothesis_slate.
func (s Section) String() string { return sectionNames[s].id }

// Prefix returns the prefix of the section's item ids.
func (s Section) Prefix() string { return sectionNames[s].prefix }

// Title returns the section's heading.
func (s Section) Title() string { return sectionNames[s].title }

// Plural returns the word for the section's items, such as hypotheses; empty for the
// research thread.
func (s Section) Plural() string { return sectionNames[s].stat }

// ItemID names an item: a section's prefix and a number from 1, or RT.
type ItemID string

// RT is the id of the research thread's one item.
const RT ItemID = "RT"

// NewItemID makes the id of the nth item of a section.
func NewItemID(s Section, n int) ItemID {
	if s == ResearchThread {
		return RT
	}
	return ItemID(s.Prefix() + strconv.Itoa(n))
}

// IsItemOf tells whether a text is the id of an item of a section.
func IsItemOf(text string, s Section) bool {
	_, of, _, ok := ParseItemID(text)
	return ok && of == s
}

// ParseItemID reads an id such as H2. Numbers have no leading zero.
func ParseItemID(text string) (ItemID, Section, int, bool) {
	if text == string(RT) {
		return RT, ResearchThread, 0, true
	}
	if len(text) < 2 || len(text) > 10 || text[1] == '0' {
		return "", 0, 0, false
	}
	section := sectionOf(text[0])
	if section == ResearchThread {
		return "", 0, 0, false
	}
	n := 0
	for _, c := range []byte(text[1:]) {
		if c < '0' || c > '9' {
			return "", 0, 0, false
		}
		n = 10*n + int(c-'0')
	}
	return ItemID(text), section, n, true
}

// sectionOf finds a section by the letter that its ids begin with; ResearchThread if there
// is none.
func sectionOf(letter byte) Section {
	for s := HypothesisSlate; s < sectionCount; s++ {
		if sectionNames[s].prefix[0] == letter {
			return s
		}
	}
	return ResearchThread
}

// Number returns the number in the id, 0 for RT.
func (id ItemID) Number() int {
	_, _, n, _ := ParseItemID(string(id))
	return n
}

// Full tells whether a section with so many active items, and so many in all, has no place left (PROTOCOL 6,
// limits): a killed hypothesis frees its place, killed items elsewhere still count.
func (s Section) Full(active, all int) bool {
	if s == HypothesisSlate {
		return active >= MaxActiveHypotheses
	}
	return all >= MaxItems
}
