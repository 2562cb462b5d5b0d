package science_test

import (
	"maps"
	"slices"
	"time"
)

// finding is a result or an attempt of a test, as the oracle sees it.
type finding struct {
	test, place int // of its message, from 0
	act         act
	attempt     bool // of a block that sets blocked or error: no result
	standing    string
	replacedBy  int64
}

func (f finding) run() trial {
	if f.act.run == nil {
		return trial{}
	}
	return *f.act.run
}

func (f finding) sources() []string {
	if f.act.run != nil && f.act.run.sources != nil {
		return f.act.run.sources
	}
	return f.act.refs
}

// heard is a block about a test, with what the test was before it.
type heard struct {
	place   int
	act     act
	skipped bool // the test was killed before
	status  string
	actual  map[string]string
}

func (s study) heard(test int) []heard {
	var list []heard
	killed, status, actual := false, "", map[string]string{}
	for place, l := range s.letters {
		for _, a := range l.acts {
			if a.kind != 'T' || a.number != test {
				continue
			}
			if a.op == "KILL" {
				killed = true
				continue
			}
			list = append(list, heard{place, a, killed, status, actual})
			if killed {
				continue
			}
			if a.status != "" {
				status = a.status
			}
			actual = merged(actual, a.actual)
		}
	}
	return list
}

func merged(a, b map[string]string) map[string]string {
	c := map[string]string{}
	maps.Copy(c, a)
	maps.Copy(c, b)
	return c
}

func (h heard) attempt() bool { return h.act.status == "blocked" || h.act.status == "error" }

// says reports whether the block writes a last_run that says something.
func (h heard) says() bool {
	r := h.act.run
	return r != nil && (r.outcome != "" || r.value != "" || r.unforeseen != "")
}

// implies reports whether the block says without a last_run that the test was done.
func (h heard) implies() bool {
	if (h.act.status == "passed" || h.act.status == "failed") && h.status != h.act.status {
		return true
	}
	for key, text := range h.act.actual {
		if before, there := h.actual[key]; !there || before != text {
			return true
		}
	}
	return false
}

// findings are the results and attempts of a test, in the order of their messages: first who they are, then, letter by
// letter, what became of them.
func (s study) findings(test int) []finding {
	blocks := s.heard(test)
	var list []finding
	main := -1
	for place := range s.letters {
		for _, h := range blocks {
			if h.place == place && h.act.run != nil && h.act.run.withdraws != 0 && !h.attempt() {
				for i := range list {
					if !list[i].attempt && s.letters[list[i].place].origin == h.act.run.withdraws {
						list[i].standing = "withdrawn"
						if main == i {
							main = -1
						}
					}
				}
			}
		}
		var result *heard
		for _, h := range blocks {
			if h.place != place || h.skipped {
				continue
			}
			none := result == nil && !slices.ContainsFunc(list, finding.stands) // "while the test has none" that stands
			switch {
			case h.attempt():
				list = append(list, finding{test: test, place: place, act: h.act, attempt: true, standing: "attempt"})
			case h.says() || none && h.implies():
				result = &h
			}
		}
		if result == nil {
			continue
		}
		f := finding{test: test, place: place, act: result.act, standing: "main"}
		switch {
		case f.run().replicates != 0:
			f.standing = "replication"
		case main >= 0 && f.run().exploratory && !list[main].run().exploratory:
			f.standing = "attempt" // a look
		default:
			if main >= 0 {
				list[main].standing, list[main].replacedBy = "replaced", s.letters[place].id
			}
			main = len(list)
		}
		list = append(list, f)
	}
	return list
}

func (f finding) stands() bool { return f.standing == "main" || f.standing == "replication" }

// revealing is R: the first result that is neither exploratory nor failed in potency, else the first exploratory one.
func (s study) revealing(test int) *finding {
	list := s.findings(test)
	for _, exploratory := range []bool{false, true} {
		for i := range list {
			if f := &list[i]; !f.attempt && f.run().exploratory == exploratory && f.run().potency != "failed" {
				return f
			}
		}
	}
	return nil
}

// glimpse is the first look at a test: nothing from place on, and nothing from the moment on, was written before it.
type glimpse struct {
	place   int
	started time.Time
}

func (s study) look(test int) (glimpse, bool) {
	first, there := glimpse{place: len(s.letters)}, false
	for _, f := range s.findings(test) {
		if f.run().started.IsZero() && f.attempt {
			continue
		}
		there = true
		first.place = min(first.place, f.place)
	}
	// A block that a later block of its message overrules has still told of a run.
	for _, h := range s.heard(test) {
		if h.skipped || h.act.run == nil || h.act.run.started.IsZero() {
			continue
		}
		there = true
		first.place = min(first.place, h.place)
		if first.started.IsZero() || h.act.run.started.Before(first.started) {
			first.started = h.act.run.started
		}
	}
	return first, there
}

// before is the study as it stood just before the first look at a test; all of it without one.
func (s study) before(test int) study {
	look, there := s.look(test)
	if !there {
		return s
	}
	n := 0
	for n < look.place && (look.started.IsZero() || s.letters[n].at.Before(look.started)) {
		n++
	}
	return s.cut(n)
}

// counts says which findings count (SCIENCE 2, counted).
func (s study) counts(list []finding) []bool {
	counted := make([]bool, len(list))
	for i, f := range list {
		if !f.stands() || f.run().potency == "failed" || !s.placed(f) {
			continue
		}
		counted[i] = f.standing == "main" || s.convenes(s.letters[f.place].from)
		for _, source := range f.sources() {
			alone := true
			for j, other := range list {
				if j != i && other.stands() && slices.Contains(other.sources(), source) {
					alone = false
				}
			}
			counted[i] = counted[i] || alone
		}
	}
	return counted
}

func (s study) convenes(name string) bool {
	for _, l := range s.letters {
		if l.kickoff != "" {
			return name == l.from || name == "Operator"
		}
	}
	return name == "Operator"
}
