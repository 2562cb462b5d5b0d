package mailtest

import (
	"fmt"
	"strings"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

func search(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	texts := []struct{ thread, subject, body string }{
		{"COORD-a1", "INFO: gradient of morphogen", "Cells read a concentration gradient over time."},                       // 1
		{"COORD-a1", "INFO: lineage", "The lineage decides; the Gradient does not. GRADIENTS differ."},                      // 2
		{"COORD-b2", "DELTA[gpt]: third way", "Neither lineage nor gradient: both are memory. Épigénétique, naïve Zellen."}, // 3
		{"", "INFO: alone", "co-operation of O'Brien's 42 cells, H2 and brenner_bot-5so.1"},                                 // 4
		{"COORD-b2", "INFO: empty", ""}, // 5
	}
	for _, text := range texts {
		e := f.entry(text.thread, text.subject)
		e.Message.Body = text.body
		if strings.HasPrefix(text.subject, "DELTA") {
			e.Type = protocol.TypeDelta
		}
		f.append(e)
	}
	check := func(t *testing.T) {
		t.Helper()
		for query, want := range map[string]string{
			"gradient": "1 2 3", "GRADIENT": "1 2 3", "gradients": "2", "gradient*": "1 2 3", "grad": "", "grad*": "1 2 3",
			`"concentration gradient"`: "1", `"gradient concentration"`: "", `"over tim"*`: "1",
			"gradient lineage": "2 3", "gradient AND lineage": "2 3", "gradient NOT lineage": "1", "gradient AND NOT lineage": "1",
			"concentration OR memory": "1 3", "(concentration OR memory) gradient": "1 3", "lineage AND (concentration OR memory)": "3",
			"morphogen": "1", "cells": "1 4", "42": "4", "H2": "4", `"brenner bot 5so 1"`: "4", "brenner_bot-5so.1": "4",
			"co-operation": "4",
			"épigénétique": "3", "naïve": "3", "nowhere": "", "third way": "3", "NOT gradient cells": "4", `lineage "neither`: "3",
			`'; DROP TABLE messages; --`: "", `gradient "" * ( ) - ^ :`: "1 2 3", "gradient)": "1 2 3", "subject:gradient": "",
		} {
			var got []string
			for _, id := range sorted(idsOf(f.search(query))) {
				got = append(got, fmt.Sprint(id))
			}
			if found := strings.Join(got, " "); found != want {
				t.Errorf("%s finds %q, want %q", query, found, want)
			}
		}
	}
	check(t)
	f.must(f.store.Rebuild(f.ctx)) // now from the index alone
	check(t)
	f.restricted()
}

// restricted searches inside threads and types.
func (f *fixture) restricted() {
	f.Helper()
	find := func(q mail.SearchQuery) []int64 {
		q.Project, q.Expr = f.project, mail.Term{Words: []string{"gradient"}}
		if q.Limit == 0 {
			q.Limit = 20
		}
		found, err := f.store.Search(f.ctx, q)
		f.must(err)
		return sorted(idsOf(found))
	}
	f.same("in a thread", find(mail.SearchQuery{Thread: "COORD-a1"}), []int64{1, 2})
	f.same("of a type", find(mail.SearchQuery{Types: []protocol.MessageType{protocol.TypeDelta}}), []int64{3})
	f.same("of types", find(mail.SearchQuery{Types: []protocol.MessageType{protocol.TypeDelta, protocol.TypeInfo}}), []int64{1, 2, 3})
	f.same("of both", find(mail.SearchQuery{Thread: "COORD-a1", Types: []protocol.MessageType{protocol.TypeDelta}}), []int64{})
	f.same("of those a filter accepts", find(mail.SearchQuery{Filter: func(m *mail.Message) bool { return m.ID != 2 }}), []int64{1, 3})
	f.same("limited", len(find(mail.SearchQuery{Limit: 2})), 2)
}

func searchOrder(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	write := func(subject, body string) int64 {
		e := f.entry("COORD-a1", "INFO: "+subject)
		e.Message.Body = body
		return f.append(e)[0].ID
	}
	inSubject := write("rare finding", "nothing else")
	often := write("other", "rare rare rare")
	once := write("other", "rare")
	var batch []mail.Entry
	for i := range 2 * mail.Candidates {
		e := f.entry("COORD-b2", fmt.Sprintf("INFO: filler %d", i))
		e.Message.Body = "common words, common as can be"
		if i == 0 {
			e.Message.Subject = "INFO: common common common"
		}
		batch = append(batch, e)
	}
	last := f.append(batch...)
	newest := last[len(last)-1].ID
	for range 2 {
		f.same("few matches, best first", idsOf(f.search("rare")), []int64{inSubject, often, once})
		found := idsOf(f.search("common"))
		if len(found) != 20 || found[0] != newest || found[19] != newest-19 {
			t.Errorf("many matches come as %v, want the newest 20 from %d", found, newest)
		}
		f.must(f.store.Rebuild(f.ctx))
	}
	oldest := func(m *mail.Message) bool { return m.ID == last[0].ID } // behind everything that is looked at first
	found, err := f.store.Search(f.ctx, mail.SearchQuery{Project: f.project, Expr: mail.Term{Words: []string{"common"}}, Filter: oldest,
		Limit: 1})
	f.must(err)
	f.same("among many, one that a filter accepts", idsOf(found), []int64{last[0].ID})
	own := write("common and mine", "x")
	f.same("a message sent just now", idsOf(f.search("common"))[0], own)
}
