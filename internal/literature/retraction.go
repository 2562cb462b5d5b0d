package literature

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"brenner/internal/protocol"
)

// Nature says what a notice does to a work.
type Nature uint8

// The natures, the gravest last but one.
const (
	Unrelated Nature = iota // a new version, for instance
	Concern
	Correction
	Retraction
	Reinstatement
)

// Notice is a line of a snapshot of retractions.
type Notice struct {
	Nature Nature
	Words  string      // what the snapshot calls it
	Of     Identifiers // the work
	By     Identifiers // the notice itself
	Day    string      // 2011-06-03; empty: not known
	Reason string
}

// Snapshot is what reading a snapshot came to.
type Snapshot struct {
	Notices int
	Skipped int    // rows that do not have the columns of the head
	Newest  string // day of the newest notice; empty: none has a day
}

// maxSnapshot is the largest list that is read in a stream.
const maxSnapshot = 2 << 30

// ReadRetractions reads a snapshot and visits its notices: the CSV of Retraction Watch in a stream, or JSON of Crossref with
// update-to or updated-by. INVALID_INPUT: it is neither, or ends in the middle.
func ReadRetractions(r io.Reader, visit func(Notice)) (Snapshot, error) {
	var s Snapshot
	in := bufio.NewReaderSize(&bounded{r, maxSnapshot}, 64<<10)
	tell := func(n Notice) {
		s.Notices++
		s.Newest = max(s.Newest, n.Day)
		if n.Nature != Unrelated && n.Of.Known() {
			visit(n)
		}
	}
	start, err := firstByte(in)
	switch {
	case err != nil:
		return s, err
	case start == '{' || start == '[':
		err = readCrossref(in, tell)
	default:
		s.Skipped, err = readRetractionWatch(in, tell)
	}
	return s, err
}

// bounded refuses to read more than its bound.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, protocol.Errorf(protocol.InvalidInput, "the file is larger than %d GiB", maxSnapshot>>30)
	}
	return n, err
}

// firstByte skips a byte order mark and white space.
func firstByte(in *bufio.Reader) (byte, error) {
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\uFEFF")) {
		_, _ = in.Discard(3)
	}
	for {
		b, err := in.ReadByte()
		if errors.Is(err, io.EOF) {
			return 0, protocol.Errorf(protocol.InvalidInput, "the file is empty")
		}
		if err != nil {
			return 0, err
		}
		if strings.IndexByte(jsonSpace, b) < 0 {
			return b, in.UnreadByte()
		}
	}
}

// natureOf reads the words of both kinds of snapshot.
func natureOf(words string) Nature {
	words = strings.ToLower(words)
	switch {
	case strings.Contains(words, "reinstate"):
		return Reinstatement
	case strings.Contains(words, "concern"):
		return Concern
	case strings.Contains(words, "partial"):
		return Correction
	case strings.Contains(words, "retract"), strings.Contains(words, "withdraw"), strings.Contains(words, "removal"):
		return Retraction
	case strings.Contains(words, "correct"), strings.Contains(words, "corrigend"), strings.Contains(words, "errat"),
		strings.Contains(words, "addend"), strings.Contains(words, "clarif"):
		return Correction
	}
	return Unrelated
}

// Judge says what all notices about a work come to, and which of them says so: the gravest since it was last reinstated, of equal ones
// the latest. A notice without a day counts as older than all others; on one day a reinstatement is the last.
func Judge(notices []Notice) (Notice, bool) {
	var reinstated, gravest *Notice
	for i := range notices {
		if n := &notices[i]; n.Nature == Reinstatement && (reinstated == nil || n.Day > reinstated.Day) {
			reinstated = n
		}
	}
	for i := range notices {
		n := &notices[i]
		if n.Nature == Reinstatement || n.Nature == Unrelated || reinstated != nil && n.Day <= reinstated.Day {
			continue
		}
		if gravest == nil || n.Nature > gravest.Nature || n.Nature == gravest.Nature && n.Day > gravest.Day {
			gravest = n
		}
	}
	switch {
	case gravest != nil:
		return *gravest, true
	case reinstated != nil:
		return *reinstated, true
	}
	return Notice{}, false
}

// Note says in a line what a notice is: its kind, day, reasons and DOI.
func (n Notice) Note() string {
	kind := strings.ToLower(strings.ReplaceAll(clean(n.Words), "_", " "))
	switch {
	case n.Nature == Concern:
		kind = "expression of concern"
	case kind == "":
		kind = map[Nature]string{Correction: "correction", Retraction: "retraction", Reinstatement: "reinstatement"}[n.Nature]
	}
	if n.Day != "" {
		kind += ", " + n.Day
	}
	if reason := clean(n.Reason); reason != "" {
		kind += ", " + protocol.Shorten(reason, 300)
	}
	if n.By.DOI != "" && n.By.DOI != n.Of.DOI {
		kind += ", notice " + n.By.DOI
	}
	return kind
}
