package protocol

// MaxListed is how many findings, and how many delta blocks, of one message an answer lists; the
// rest is counted (PROTOCOL 6).
const MaxListed = 200

// Listed returns the findings that an answer lists, in their order, and how many it leaves out. Where
// not all fit, graver ones go before others: an error is never hidden behind warnings.
func Listed(all []Finding) (listed []Finding, more int) {
	if len(all) <= MaxListed {
		return all, 0
	}
	room := NewRoom(MaxListed, func(count func(Finding)) {
		for _, f := range all {
			count(f)
		}
	})
	listed = make([]Finding, 0, MaxListed)
	for _, f := range all {
		if room.Take(f) {
			listed = append(listed, f)
		}
	}
	return listed, len(all) - len(listed)
}

// Room is how many findings of each severity are still to be listed.
type Room [SeverityCount]int

// NewRoom divides places among the findings that each counts, the gravest first.
func NewRoom(places int, each func(count func(Finding))) Room {
	var room Room
	each(func(f Finding) { room[f.Severity.Rank()]++ })
	for rank, n := range room {
		room[rank] = min(n, places)
		places -= room[rank]
	}
	return room
}

// Take tells whether a finding is listed.
func (r *Room) Take(f Finding) bool {
	rank := f.Severity.Rank()
	if r[rank] == 0 {
		return false
	}
	r[rank]--
	return true
}
