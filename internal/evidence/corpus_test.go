package evidence_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"brenner/internal/evidence"
	"brenner/internal/protocol"
)

var update = flag.Bool("update", false, "write the corpus anew")

const corpusFile = "testdata/corpus.jsonl"

// entry is a quote of the corpus, as an agent would write it, and what is wrong with it.
type entry struct {
	Text  string `json:"text"`  // with its citation
	Fault string `json:"fault"` // empty: it is where it says
}

// The corpus: every planted fault is found, and nothing else is.
func TestCorpus(t *testing.T) {
	l := corpusLibrary(t)
	if *update {
		writeCorpus(t)
	}
	quotes, faults := 0, 0
	for _, e := range readCorpus(t) {
		checked := l.CheckQuotes(evidence.Quotes(e.Text))
		if len(checked) != 1 {
			t.Errorf("%s: %d quotes", e.Text, len(checked))
			continue
		}
		quotes++
		findings := checked[0].Findings("H1")
		if e.Fault == "" {
			if checked[0].Verdict != evidence.Found || len(findings) > 0 {
				t.Errorf("false alarm: %s\n%v", e.Text, findings)
			}
			continue
		}
		faults++
		if len(findings) != 1 || findings[0].Code != protocol.EVQ01 || findings[0].Fix == "" {
			t.Errorf("missed (%s): %s\n%v", e.Fault, e.Text, findings)
		}
	}
	if quotes < 500 || faults < 100 {
		t.Errorf("the corpus has %d quotes and %d faults", quotes, faults)
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

func corpusLibrary(t testing.TB) *evidence.Library {
	l := library()
	texts := corpusTexts(t)
	for _, id := range sortedIDs(texts) {
		l.Pack.Sources = append(l.Pack.Sources, source(id, texts[id]))
	}
	return l
}

func sortedIDs(texts map[string]string) []string {
	ids := []string{}
	for n := 1; len(ids) < len(texts); n++ {
		id := "EV-00" + string(rune('0'+n))
		if _, ok := texts[id]; ok {
			ids = append(ids, id)
		}
	}
	return ids
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

// writeCorpus draws quotes from the sources, types them anew, and spoils some.
func writeCorpus(t *testing.T) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	texts := corpusTexts(t)
	ids := sortedIDs(texts)
	var b strings.Builder
	for n := range 620 {
		id := ids[n%len(ids)]
		quote := drawn(rnd, texts[id])
		fault := ""
		if n%6 == 0 {
			quote, id, fault = spoiled(rnd, n/6, quote, id, ids)
		}
		e := entry{Text: written(rnd, retyped(rnd, quote), id), Fault: fault}
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	if err := os.WriteFile(corpusFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// drawn takes some words of a text, with the marks around them. Straight double quotes inside would end
// the quote, so they become single.
func drawn(rnd *rand.Rand, text string) string {
	if strings.ContainsRune(text, '細') {
		return drawnUnspaced(rnd, text)
	}
	fields := strings.Fields(text)
	for {
		n := 4 + rnd.IntN(16)
		start := rnd.IntN(len(fields) - n)
		quote := strings.Join(fields[start:start+n], " ")
		if brackets(quote) && !strings.Contains(quote, ">") && !strings.Contains(quote, "EV-") {
			return strings.NewReplacer(`"`, "'", "“", "‘", "”", "’").Replace(quote)
		}
	}
}

func brackets(quote string) bool {
	return strings.Count(quote, "(") == strings.Count(quote, ")") && strings.Count(quote, "[") == strings.Count(quote, "]") &&
		strings.Count(quote, "`")%2 == 0 && !strings.Contains(quote, "\\")
}

func drawnUnspaced(rnd *rand.Rand, text string) string {
	runes := []rune(strings.ReplaceAll(text, "\n", ""))
	for {
		n := 12 + rnd.IntN(30)
		start := rnd.IntN(len(runes) - n)
		if quote := runes[start : start+n]; !slices.ContainsFunc(quote, func(r rune) bool { return r >= 'Ａ' && r <= 'Ｚ' }) {
			return string(quote)
		}
	}
}

// retyped types quotation marks and dashes in another way, wraps lines, and leaves words out with an
// ellipsis now and then.
func retyped(rnd *rand.Rand, quote string) string {
	var b strings.Builder
	for _, r := range quote {
		switch {
		case r == '\'' || r == '’' || r == '‘':
			b.WriteRune([]rune("'’‘")[rnd.IntN(3)])
		case r == '–' || r == '—':
			b.WriteRune([]rune("-–—")[rnd.IntN(3)])
		case r == ' ' && rnd.IntN(8) == 0:
			b.WriteString([]string{"\n", "  ", "\u00a0"}[rnd.IntN(3)])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func written(rnd *rand.Rand, quote, id string) string {
	switch rnd.IntN(5) {
	case 0:
		return "As they write, “" + quote + "” (" + id + ", p. 4)."
	case 1:
		return "> " + strings.ReplaceAll(quote, "\n", "\n> ") + "\n> (" + id + ")"
	case 2:
		return "It is said: \"" + quote + ".\" [see " + id + "]"
	default:
		return "\"" + quote + "\" (" + id + ")"
	}
}

// spoiled plants a fault.
func spoiled(rnd *rand.Rand, kind int, quote, id string, ids []string) (spoilt, cited, fault string) {
	words := strings.Fields(quote)
	if len(words) < 4 { // a script without spaces
		runes := []rune(quote)
		at := 2 + rnd.IntN(len(runes)-4)
		for !unicode.IsLetter(runes[at]) {
			at--
		}
		if kind%2 == 0 {
			runes[at] = '鰯'
			return string(runes), id, "another letter"
		}
		return string(append(runes[:at:at], append([]rune{'非'}, runes[at:]...)...)), id, "a letter added"
	}
	at := 1 + rnd.IntN(len(words)-2)
	switch kind % 6 {
	case 0:
		words[at] = "elephants"
		return strings.Join(words, " "), id, "another word"
	case 1:
		return strings.Join(append(words[:at:at], append([]string{"never"}, words[at:]...)...), " "), id, "a word added"
	case 2:
		words = append(words[:at:at], words[at+1:]...)
		return strings.Join(words, " "), id, "a word dropped"
	case 3:
		words[at], words[at+1] = words[at+1]+"x", words[at]
		return strings.Join(words, " "), id, "words swapped and one misspelt"
	case 4:
		other := ids[(rnd.IntN(len(ids)-1)+1+indexOf(ids, id))%len(ids)]
		return quote, other, "another source"
	default:
		return strings.Join(words[len(words)/2:], " ") + " … " + strings.Join(words[:len(words)/2], " "), id, "parts in another order"
	}
}

func indexOf(ids []string, id string) int {
	for i := range ids {
		if ids[i] == id {
			return i
		}
	}
	return -1
}
