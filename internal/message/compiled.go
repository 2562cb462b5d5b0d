package message

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Limits of a COMPILED body (PROTOCOL 10). The last three keep the whole body below the
// limit of a message whatever its texts hold.
const (
	maxInlineArtifact = 256 << 10
	maxLines          = 200
	maxLineBytes      = 400
	maxSummaryBytes   = 4000
	maxRowItems       = 50
)

// Compiled is what a COMPILED message says.
type Compiled struct {
	ThreadID     string
	Version      int
	Previous     int // 0 before the first
	CompiledAt   time.Time
	Compiler     string
	Through      int64  // the last message folded; 0: not said
	Summary      string // empty: DefaultSummary
	Contributors []Contribution
	Changes      Changes
	Stats        artifact.Stats
	Validation   Validation
	Artifact     string // its Markdown; empty if the body only links to it
	Hash         string // artifact hash in hex; empty: not said
	Conflicts    []string
	Rejected     []string       // deltas that were rejected, a line each
	MoreRejected int            // of those, how many have no line
	Evidence     []EvidenceHash // the sources that are cited; nil: the project has no evidence pack
}

// EvidenceHash names a source of the evidence pack by its content (SCIENCE 1, under the chain).
type EvidenceHash struct{ ID, SHA256 string }

// Contribution is a contributor's part in a version.
type Contribution struct {
	Agent  string
	Deltas int      // accepted blocks; 0: it wrote to the thread, and contributed nothing to this version
	Items  []string // added or modified

	Program, Model string // as registered when the version was compiled
}

// Changes are the items that a version added, edited and killed.
type Changes struct{ Added, Edited, Killed []Change }

// Change is what happened to an item.
type Change struct {
	Item string
	Text string // its name, the fields, the reason
}

// Validation is the outcome of lint.
type Validation struct {
	Schema           Verdict
	Warnings, Errors int
	ThirdAlternative Presence
}

// Verdict is PASS or FAIL.
type Verdict string

// Presence is Present or MISSING.
type Presence string

// The words of the Validation Status section.
const (
	Pass    Verdict  = "PASS"
	Fail    Verdict  = "FAIL"
	Present Presence = "Present"
	Missing Presence = "MISSING"
)

// ArtifactLink is the address of one version of a thread's artifact.
func ArtifactLink(threadID string, version int) string {
	return "brenner://artifact/" + url.PathEscape(threadID) + "?version=" + strconv.Itoa(version)
}

// Subject is the subject of the message: the version and as much of the summary as an inbox
// line holds.
func (c Compiled) Subject() string {
	return subjectLine("COMPILED: ", fmt.Sprintf("v%d %s", c.Version, c.summary()))
}

// CompiledSummary is what the subject of a COMPILED message says beside the version.
func CompiledSummary(subject string) string {
	parsed, _ := protocol.ParseSubject(subject, protocol.Lenient)
	version, rest, _ := strings.Cut(parsed.Description, " ")
	if number, ok := strings.CutPrefix(version, "v"); ok && strings.Trim(number, "0123456789") == "" {
		return rest
	}
	return parsed.Description
}

func (c Compiled) summary() string {
	if s := oneLine(c.Summary); s != "" {
		return clip(s, maxSummaryBytes)
	}
	return c.DefaultSummary()
}

// DefaultSummary says what was added, edited and killed, and by how many agents.
func (c Compiled) DefaultSummary() string {
	var parts []string
	for _, kind := range c.Changes.kinds() {
		if len(kind.changes) > 0 {
			parts = append(parts, strings.ToLower(kind.name)+" "+itemList(kind.changes))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no changes"}
	}
	n := 0
	for _, who := range c.Contributors {
		if who.Deltas > 0 {
			n++
		}
	}
	return strings.Join(parts, "; ") + " by " + plural(n, "agent")
}

type changeKind struct {
	name    string
	changes []Change
}

func (c Changes) kinds() []changeKind {
	return []changeKind{{"Added", c.Added}, {"Edited", c.Edited}, {"Killed", c.Killed}}
}

// itemList names up to four items, more as a number.
func itemList(changes []Change) string {
	if len(changes) > 4 {
		return plural(len(changes), "item")
	}
	names := make([]string, len(changes))
	for i, c := range changes {
		names[i] = c.Item
	}
	return strings.Join(names, ", ")
}

func plural(n int, word string) string { return protocol.Plural(n, word) }
