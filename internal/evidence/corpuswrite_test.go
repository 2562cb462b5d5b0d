package evidence_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"brenner/internal/protocol"
)

// shapes are the ways to write a quotation: Q stands for it, C for its source. The marks do not occur in it.
var shapes = []string{
	"“Q” (C)", "„Q“ [C]", "„Q” (C).", "”Q” (C)", "«Q» (C)", "« Q » (C)", "»Q« (C)", "»Q» (C)", "‹Q› (C)", "›Q‹ (C)", "‚Q‘ (C)", "「Q」（C）",
	"『Q』［C］",
	"\"Q\" (C)", "\"Q\" — C", "\"Q\", C.", "\"Q\", see C", "It is said: \"Q.\" [see C]", "As C says, \"Q\".", "C: \"Q\"", "(C: “Q”)",
	"“Q (C)”", "\"Q [C]\"",
	"\"Q\"[^1] is known.\n\n[^1]: See C.", "\"Q\" is what they say (C)", "C says that “Q” is so.", "> Q\n> (C)", "> Q\n>\n> — C",
	"> Q\n\n(C)", "> “Q”\n> — C", "- one\n- *\"Q\"* (C)", "| \"Q\" | C |",
}

// writeCorpus draws quotations from the sources, types them anew in every shape, and spoils some.
func writeCorpus(t *testing.T) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	texts := corpusTexts(t)
	ids := slices.Sorted(maps.Keys(texts))
	var b strings.Builder
	write := func(e entry) {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	for n := range 640 {
		id := ids[n%len(ids)]
		write(written(shapes[(n/len(ids)+n)%len(shapes)], retyped(rnd, drawn(rnd, texts[id])), id))
	}
	for n := range 260 {
		id := ids[n%len(ids)]
		quote, cited, fault := spoiled(rnd, n/len(ids), drawn(rnd, texts[id]), id, ids)
		e := written(shapes[(n/len(ids)+n)%24], retyped(rnd, quote), cited)
		e.Code, e.Fault = protocol.EVQ01, fault
		write(e)
	}
	for _, e := range handmade() {
		write(e)
	}
	if err := os.WriteFile(corpusFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// written puts a quotation into a shape.
func written(shape, quote, id string) entry {
	if strings.HasPrefix(shape, ">") {
		quote = strings.ReplaceAll(quote, "\n", "\n> ")
	}
	if strings.HasPrefix(shape, "|") || strings.HasPrefix(shape, "-") {
		quote = strings.ReplaceAll(quote, "\n", " ")
	}
	head, tail, _ := strings.Cut(shape, "Q")
	head, tail = strings.ReplaceAll(head, "C", id), strings.ReplaceAll(tail, "C", id)
	at := len(head)
	if strings.HasPrefix(shape, "> “") {
		at -= len("“")
	}
	return entry{Text: head + quote + tail, At: at}
}

// handmade are faults of numbers, ellipses and pages, each beside its true sister.
func handmade() []entry {
	var list []entry
	add := func(code protocol.Code, fault, text string) {
		list = append(list, entry{Text: text, At: strings.IndexAny(text, "“") + len("“"), Code: code, Fault: fault})
	}
	add("", "", "“enthielt 10^5 Zellen pro Milliliter” (EV-008)")
	add("", "", "“enthielt 10<sup>5</sup> Zellen pro” (EV-008)")
	add(protocol.EVQ01, "a power", "“enthielt 105 Zellen pro Milliliter” (EV-008)")
	add("", "", "“wurde bei -5°C gehalten” (EV-008)")
	add(protocol.EVQ01, "a sign", "“wurde bei 5 °C gehalten” (EV-008)")
	add("", "", "“Wahrscheinlichkeit war p<0,05” (EV-008)")
	add(protocol.EVQ01, "a relation", "“Wahrscheinlichkeit war p > 0,05” (EV-008)")
	add("", "", "“das sind 90,4%” (EV-008)")
	add(protocol.EVQ01, "a unit sign", "“überlebten 312, das sind 90,4” (EV-008)")
	add("", "", "“Man fand keinen Unterschied zwischen Ca2+-freien und gewöhnlichen Lösungen; die” (EV-008)")
	add("", "", "“wie frühere Versuche vermuten” (EV-008)")
	add("", "", "“[z]ellen behalten ihr Schicksal” (EV-008)")
	add(protocol.EVQ06, "a negation", "“The eye did … grow back” (EV-011)")
	add(protocol.EVQ01, "two paragraphs", "“Zellen behalten ihr Schicksal … bestätigte den Befund” (EV-008)")
	add(protocol.EVQ01, "a scrap", "“Schicksal … spät verpflanzt werden” (EV-008)")
	add("", "", "“était de 3 × 10^-4 mol” (EV-009)")
	add(protocol.EVQ01, "a power", "“était de 3 × 10^4 mol” (EV-009)")
	add("", "", "“每毫升含有10^5个细胞” (EV-010)")
	add(protocol.EVQ01, "a power", "“每毫升含有105个细胞” (EV-010)")
	add("", "", "“moved late in development, and lose” (EV-011, p. 1)")
	add("", "", "“A well-known case is the eye” (EV-011)")
	add("", "", "“At 10⁵ cells per ml” (EV-011, p. 1)")
	add("", "", "“as was usual in the laboratory at that time” (EV-011, p. 3)")
	add(protocol.EVQ08, "another page", "“kept at a constant temperature” (EV-011, p. 3)")
	add("", "", "“kept at a constant temperature” (EV-011, p. 812)")
	add(protocol.EVQ05, "not bound", "“the free will of cells” is denied by them (EV-011)")
	add(protocol.EVQ01, "a slip", "“kept at a steady temperature” is what they say (EV-011)")
	return list
}

// drawn takes some words of a text, with the marks around them.
func drawn(rnd *rand.Rand, text string) string {
	if strings.ContainsAny(text, "細细") {
		return drawnUnspaced(rnd, text)
	}
	fields := strings.Fields(text)
	for {
		n := 5 + rnd.IntN(14)
		start := rnd.IntN(len(fields) - n)
		if quote := strings.Join(fields[start:start+n], " "); quotable(quote) && !strings.ContainsAny(fields[start+n], "%°") &&
			(start == 0 || !strings.ContainsAny(fields[start-1], "±<>−–-")) {
			return quote
		}
	}
}

// quotable tells whether words can stand in every shape: they have none of its marks.
func quotable(quote string) bool {
	return strings.Count(quote, "(") == strings.Count(quote, ")") && strings.Count(quote, "[") == strings.Count(quote, "]") &&
		!strings.ContainsAny(quote, "\"“”„«»‹›‚‘「」『』`*_\\<>|…^§#") && !strings.Contains(quote, "EV-") && !strings.Contains(quote, "...") &&
		!strings.ContainsAny(quote[:1], "±-") && !strings.HasSuffix(quote, "±")
}

func drawnUnspaced(rnd *rand.Rand, text string) string {
	runes := []rune(strings.ReplaceAll(text, "\n", ""))
	for {
		n := 12 + rnd.IntN(30)
		start := rnd.IntN(len(runes) - n)
		quote := string(runes[start : start+n])
		odd := strings.ContainsFunc(string(runes[max(start-1, 0):min(start+n+1, len(runes))]), func(r rune) bool {
			return r < 0x80 || unicode.IsDigit(r) || r >= 'Ａ' && r <= 'Ｚ' || strings.ContainsRune("⁵°−", r)
		})
		if !odd && quotable(quote) {
			return quote
		}
	}
}

// retyped types apostrophes and dashes in another way, and wraps lines.
func retyped(rnd *rand.Rand, quote string) string {
	var b strings.Builder
	for _, r := range quote {
		switch {
		case r == '’':
			b.WriteRune([]rune("'’")[rnd.IntN(2)])
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
	switch kind % 5 {
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
	default:
		other := ids[(rnd.IntN(len(ids)-1)+1+slices.Index(ids, id))%len(ids)]
		return quote, other, "another source"
	}
}
