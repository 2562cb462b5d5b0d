package mail

import (
	"cmp"
	"slices"
	"strings"
)

// KeepPresence puts a presence into a list as Attendance demands, for stores that keep one in
// memory. The list it returns takes the place of the one given.
func KeepPresence(list []Presence, p Presence) []Presence {
	if p.ExitCode != nil {
		code := *p.ExitCode
		p.ExitCode = &code
	}
	if i := slices.IndexFunc(list, p.sameProcess); i < 0 {
		list = append(list, p)
	} else if !p.Seen().Before(list[i].Seen()) {
		list[i] = p
	}
	var of []Presence
	for i := range list {
		if p.sameAgent(list[i]) {
			of = append(of, list[i])
		}
	}
	if len(of) <= KeptPresences {
		return list
	}
	slices.SortFunc(of, latestSeen)
	oldest := of[KeptPresences-1].Seen()
	return slices.DeleteFunc(list, func(q Presence) bool { return p.sameAgent(q) && q.Seen().Before(oldest) })
}

func (p *Presence) sameAgent(q Presence) bool {
	return p.Project == q.Project && NameKey(p.Agent) == NameKey(q.Agent)
}

func (p *Presence) sameProcess(q Presence) bool {
	return p.sameAgent(q) && p.Source == q.Source && p.Host == q.Host && p.PID == q.PID
}

// ChoosePresences selects from such a list what Attendance returns; the agents are in the order
// of their names.
func ChoosePresences(list []Presence, project ProjectID, agents ...string) []Presence {
	wanted := map[string]bool{}
	for _, name := range agents {
		wanted[NameKey(name)] = true
	}
	var chosen []Presence
	for _, p := range list {
		if p.Project != project || len(agents) > 0 && !wanted[NameKey(p.Agent)] {
			continue
		}
		if p.ExitCode != nil {
			code := *p.ExitCode
			p.ExitCode = &code
		}
		chosen = append(chosen, p)
	}
	slices.SortFunc(chosen, func(a, b Presence) int {
		return cmp.Or(strings.Compare(NameKey(a.Agent), NameKey(b.Agent)), latestSeen(a, b))
	})
	return chosen
}

func latestSeen(a, b Presence) int {
	return cmp.Or(b.Seen().Compare(a.Seen()), strings.Compare(string(a.Source), string(b.Source)),
		strings.Compare(a.Host, b.Host), cmp.Compare(a.PID, b.PID))
}
