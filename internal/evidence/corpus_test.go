package evidence_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"brenner/internal/evidence"
	"brenner/internal/protocol"
)

var update = flag.Bool("update", false, "write the corpus anew")

const corpusFile = "testdata/corpus.jsonl"

// entry is a text of the corpus with one quotation, as an agent would write it, and what is wrong with it.
type entry struct {
	Text  string        `json:"text"`  // with its citation
	At    int           `json:"at"`    // where in it the quotation begins
	Code  protocol.Code `json:"code"`  // of the fault; empty: it is where it says
	Fault string        `json:"fault"` // in words
}

// The corpus: every planted fault is found with its code and place, and nothing else is.
func TestCorpus(t *testing.T) {
	l := corpusLibrary(t)
	if *update {
		writeCorpus(t)
	}
	good, faults := 0, 0
	for _, e := range readCorpus(t) {
		var findings []protocol.Finding
		checked := l.CheckQuotes(evidence.Quotes(e.Text))
		for i := range checked {
			findings = append(findings, checked[i].Findings("H1")...)
		}
		if len(checked) != 1 || checked[0].Offset != e.At {
			t.Errorf("%s: %d quotations, want one at %d", e.Text, len(checked), e.At)
			continue
		}
		if e.Code == "" {
			if good++; checked[0].Verdict != evidence.Found || len(findings) > 0 {
				t.Errorf("false alarm: %s\n%v", e.Text, findings)
			}
			continue
		}
		if faults++; len(findings) != 1 || findings[0].Code != e.Code || findings[0].Fix == "" {
			t.Errorf("missed (%s, %s): %s\n%v", e.Code, e.Fault, e.Text, findings)
		}
	}
	if good < 500 || faults < 200 {
		t.Errorf("the corpus has %d true quotations and %d faults", good, faults)
	}
}

func corpusTexts(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/EV-*")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	texts := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(file)[:len("EV-001")]] = string(data)
	}
	return texts
}

// paper is the source of the corpus that was extracted from a PDF.
const paper = "EV-011"

func corpusLibrary(t testing.TB) *evidence.Library {
	l := library()
	texts := corpusTexts(t)
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		origin := evidence.Written
		if id == paper {
			origin = evidence.Extracted
		}
		text := evidence.NewText(texts[id], origin)
		l.Pack.Sources = append(l.Pack.Sources, &evidence.Source{ID: id, Open: func() evidence.Content {
			return evidence.Content{Text: text}
		}})
	}
	return l
}

func readCorpus(t *testing.T) []entry {
	t.Helper()
	f, err := os.Open(corpusFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var entries []entry
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	return entries
}
