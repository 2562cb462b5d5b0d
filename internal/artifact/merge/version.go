package merge

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/message"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// Version is a COMPILED message: a name for what its thread had come to.
type Version struct {
	Number    int
	MessageID int64
	OriginID  int64
	At        time.Time
	By        string
	Subject   string
	Through   int64   // origin id of the last message it covers, where its body names one
	Changes   Changes // since the version before

	place  int           // of the last message it covers
	counts [sections]int // items, killed ones included
}

// Versions returns the COMPILED messages that name a version, in the order of the thread.
func (s *State) Versions() []Version { return s.versions }

// Version finds a version by number, the later one of two that share it; false: there is none.
func (s *State) Version(n int) (Version, bool) {
	if v := s.version(n); v != nil {
		return *v, true
	}
	return Version{}, false
}

// version finds a version by number, nil if it does not exist. The latest of two with the
// same number counts.
func (s *State) version(n int) *Version {
	if i, ok := s.numbers[n]; ok {
		return &s.versions[i]
	}
	return nil
}

// exists tells whether there is a version.
func (s *State) exists(n int) bool { return s.version(n) != nil }

// nothing is v0.
var nothing Version

// Latest returns the version with the highest number, the later one of two that share it;
// before the first it is v0, the empty artifact (PROTOCOL 10). Every other package asks here
// which version of a thread is the latest.
func (s *State) Latest() Version { return *s.latest() }

// Before returns the number of the highest version below n, 0 if there is none. Imported
// versions leave gaps.
func (s *State) Before(n int) int {
	before := 0
	for i := range s.versions {
		if number := s.versions[i].Number; number < n {
			before = max(before, number)
		}
	}
	return before
}

func (s *State) latest() *Version {
	if len(s.versions) == 0 {
		return &nothing
	}
	return &s.versions[s.highest]
}

var throughLine = pattern.Lazy(`(?im)^[ \t]*[-*+]?[ \t]*\**through message\**:?\**:?[ \t]*#?([0-9]{1,18})\b`)

// foldCompiled closes the window. A COMPILED message never changes the artifact.
func (s *State) foldCompiled(m *message.Message, r *MessageReport) {
	number := message.CompiledVersion(m)
	if number == 0 {
		r.note(protocol.NewFinding(protocol.AP001, "The subject %s names no version; the message is passed over.", quote(m.Subject)).
			Lowered())
		return
	}
	if latest := s.latest().Number; number <= latest {
		r.note(protocol.NewFinding(protocol.AP002, "v%d comes after v%d.", number, latest).Lowered())
	}
	v := Version{
		Number: number, MessageID: m.ID, OriginID: m.OriginID(), At: m.CreatedAt, By: m.From, Subject: strings.Clone(m.Subject),
		Through: through(m.Body), place: s.folded - 1,
	}
	for section := range s.entries {
		v.counts[section] = len(s.entries[section])
	}
	s.closeWindow(&v)
	s.publish(v)
}

func (s *State) publish(v Version) {
	s.versions = append(s.versions, v)
	if s.numbers == nil {
		s.numbers = make(map[int]int)
	} else if s.sharedNumbers {
		s.numbers = maps.Clone(s.numbers)
	}
	s.sharedNumbers = false
	s.numbers[v.Number] = len(s.versions) - 1
	if v.Number >= s.versions[s.highest].Number {
		s.highest = len(s.versions) - 1
	}
}

// through reads the last message that a version compiled on a foreign server covers
// (PROTOCOL 10): later ones may have landed before it. 0: it covers all before it. Only the
// head of the body counts, never the artifact's own text.
func through(body string) int64 {
	head, _, _ := strings.Cut(body, "\n## Full Artifact")
	for _, fence := range []string{"\n```", "\n~~~"} {
		head, _, _ = strings.Cut(head, fence)
	}
	found := throughLine().FindStringSubmatch(head)
	if found == nil {
		return 0
	}
	id, _ := strconv.ParseInt(found[1], 10, 64) // at most 18 digits
	return id
}

// closeWindow ends the window at the last message that a version covers; what came after it
// is pending for the next.
func (s *State) closeWindow(v *Version) {
	covered := len(s.window)
	if v.Through > 0 {
		for i := range s.window {
			if s.window[i].OriginID > v.Through {
				covered = i
				break
			}
		}
	}
	pending := s.window[covered:]
	v.Changes = changesOf(s.window[:covered])
	if len(pending) > 0 {
		v.place = pending[0].place - 1
	}
	for _, r := range pending {
		for _, t := range r.Items {
			if t.Kind == KindAdded {
				_, section, _, _ := artifact.ParseItemID(string(t.Item))
				v.counts[section]--
			}
		}
	}
	s.since = v.place
	s.window, s.pending = slices.Clone(pending), countsOf(pending)
	s.detail = detailOf(s.window)
	s.recontest()
}

// recontest keeps the contests that the new window still has.
func (s *State) recontest() {
	var kept []contest
	for _, c := range s.contested {
		u := s.known(s.writable(s.lookup(string(c.item))), c.key)
		u.listed = false
		if u.recent == nil {
			continue
		}
		u.recent.after(s.since)
		if len(u.recent.claims) == 0 {
			u.recent = nil
		} else if len(u.recent.claims) > 1 {
			u.listed = true
			kept = append(kept, c)
		}
	}
	s.contested = kept
}
