package science_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"brenner/internal/science"
)

// told are the findings of SCIENCE 2 and 3 that the oracle expects, each once: code, item and path.
func (s study) told() []string {
	set := map[string]bool{}
	for test := 1; test <= s.tests(); test++ {
		id := fmt.Sprintf("T%d", test)
		list := s.findings(test)
		for i, f := range list {
			if f.replacedBy != 0 && !f.run().exploratory { // withdrawn afterwards or not
				set["RESULT_REPLACED "+id+" "] = true
			}
			if f.standing == "withdrawn" {
				set["RESULT_WITHDRAWN "+id+" "] = true
			}
			if !f.stands() {
				continue
			}
			if len(f.sources()) == 0 {
				set["RESULT_UNSOURCED "+id+" "] = true
			}
			own := false
			for _, source := range f.sources() {
				shared := slices.ContainsFunc(slices.Delete(slices.Clone(list), i, i+1), func(other finding) bool {
					return other.stands() && slices.Contains(other.sources(), source)
				})
				own = own || !shared
			}
			if f.standing == "replication" && !own {
				set["REPLICATION_UNSOURCED "+id+" "] = true
			}
		}
		if r := s.revealing(test); r != nil && !r.run().exploratory {
			maps.Copy(set, s.register(test, r))
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// register are the findings about the predictions of a test whose R is not exploratory.
func (s study) register(test int, r *finding) map[string]bool {
	set, id := map[string]bool{}, fmt.Sprintf("T%d", test)
	for h, c := range s.forecasts(test, nil) {
		switch {
		case c.state == "post_hoc":
			set["POST_HOC_PREDICTION "+id+" expected_outcomes."+h] = true
		case c.state == "after_look" && c.registered != nil:
			set["AFTER_LOOK_PREDICTION "+id+" expected_outcomes."+h] = true
		}
	}
	if len(s.cut(r.place).outcomes(test)) == 0 {
		set["RESULT_WITHOUT_PREDICTION "+id+" "] = true
	}
	cells := s.forecasts(test, nil)
	claims := map[string]string{}
	for place, l := range s.letters {
		for _, a := range l.acts {
			if a.kind != 'H' || a.op == "KILL" || a.killedIf != nil {
				continue
			}
			if _, celled := cells[a.id()]; place >= r.place && (celled || strings.Contains(s.named(test)+" ", a.id()+" ")) {
				if a.op == "ADD" {
					set["POST_HOC_HYPOTHESIS "+a.id()+" "] = true
				} else if a.claim != claims[a.id()] {
					set["POST_HOC_CLAIM "+a.id()+" "] = true
				}
			}
			claims[a.id()] = a.claim
		}
	}
	return set
}

// named is what a test says that it discriminates.
func (s study) named(test int) string {
	for _, l := range s.letters {
		for _, a := range l.acts {
			if a.kind == 'T' && a.number == test && a.op == "ADD" {
				return a.instruments
			}
		}
	}
	return ""
}

var toldCodes = []string{"RESULT_REPLACED", "RESULT_WITHDRAWN", "RESULT_UNSOURCED", "REPLICATION_UNSOURCED", "POST_HOC_PREDICTION",
	"AFTER_LOOK_PREDICTION", "RESULT_WITHOUT_PREDICTION", "POST_HOC_CLAIM", "POST_HOC_HYPOTHESIS"}

func foldedFindings(report science.PredictionReport) []string {
	set := map[string]bool{}
	for _, f := range report.Findings {
		if slices.Contains(toldCodes, string(f.Code)) {
			path := f.Path
			if strings.HasPrefix(string(f.Code), "RE") {
				path = ""
			}
			set[string(f.Code)+" "+f.Item+" "+path] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}
