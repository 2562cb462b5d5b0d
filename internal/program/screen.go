package program

import (
	"regexp"
	"slices"
	"strings"

	"brenner/internal/pattern"
)

// Shown is what the screen of a program says of its needs. Its texts are hostile.
type Shown struct {
	Asks      bool   // it waits for its person's answer
	SignedOut bool   // its service does not know it
	Text      string // the question, on one line
	Choices   []Choice
}

// Choice is a key that answers, and what it means.
type Choice struct{ Key, Text string }

// What is looked at of a screen, and how far apart a question may stand from its choices.
const (
	lastLines   = 30 // that say something
	belowChoice = 8  // hints and lines of state
	aboveChoice = 5
	maxShown    = 240
)

var (
	// actionTitle is how Codex and Gemini CLI name their window while they wait for a person.
	actionTitle = pattern.Lazy(`(?i)action required`)
	choiceLine  = pattern.Lazy(`^([❯›●▶>]\s*)?([1-9])[.)]\s+(\S.*)$`)
	yesNoLine   = pattern.Lazy(`(?i)[\[(](?:y|yes)/(?:n|no)[\])]\s*[:?]?\s*[❯›>█_]?\s*$`)
	enterLine   = pattern.Lazy(`(?i)^press (?:enter|return) to (?:continue|confirm)`)
	signInLine  = pattern.Lazy(`(?i)please run /login|\brun /login\b|select login method|sign in with chatgpt|` +
		`how would you like to authenticate for this project|\brun .?codex login\b|please set an auth method`)
)

// Read reads the title and the screen of a program in a terminal: whether it waits for something that only a person
// can give.
func Read(title, screen string) Shown {
	lines := lastTexts(screen)
	if i := lastMatch(lines, signInLine()); i >= 0 {
		return Shown{SignedOut: true, Text: bounded(lines[i])}
	}
	if s, ok := choosing(lines); ok {
		return s
	}
	if n := len(lines); n > 0 && yesNoLine().MatchString(lines[n-1]) {
		return Shown{Asks: true, Text: bounded(lines[n-1]), Choices: []Choice{{"y", "yes"}, {"n", "no"}}}
	}
	if i := lastMatch(lines, enterLine()); i >= 0 && i >= len(lines)-3 {
		return Shown{Asks: true, Text: bounded(question(lines[:i])), Choices: []Choice{{"Enter", lines[i]}}}
	}
	if actionTitle().MatchString(title) {
		return Shown{Asks: true, Text: bounded(strings.TrimSpace(title))}
	}
	return Shown{}
}

// lastTexts are the last lines of a screen that say something, without frames.
func lastTexts(screen string) []string {
	var lines []string
	for line := range strings.SplitSeq(screen, "\n") {
		if line = strings.Trim(line, " \t│┃|╭╮╰╯┌┐└┘─━═╌▔▁"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines[max(0, len(lines)-lastLines):]
}

func lastMatch(lines []string, re *regexp.Regexp) int {
	for i, line := range slices.Backward(lines) {
		if re.MatchString(line) {
			return i
		}
	}
	return -1
}

// choosing finds a list of numbered choices of which one is marked, near the end of a screen.
func choosing(lines []string) (Shown, bool) {
	var found []Choice
	first, last, marked := -1, -1, false
	for i, line := range lines {
		m := choiceLine().FindStringSubmatch(line)
		switch {
		case m == nil:
			continue
		case m[2] == "1": // another list begins
			found, first, marked = nil, i, false
		case len(found) == 0 || m[2] != string(rune('1'+len(found))):
			continue
		}
		found, last, marked = append(found, Choice{m[2], bounded(m[3])}), i, marked || m[1] != ""
	}
	if len(found) < 2 || !marked || len(lines)-1-last > belowChoice {
		return Shown{}, false
	}
	return Shown{Asks: true, Text: bounded(question(lines[:first])), Choices: found}, true
}

// question is what stands above the choices: the line that asks, with what it is about.
func question(above []string) string {
	above = above[max(0, len(above)-aboveChoice):]
	for i, line := range slices.Backward(above) {
		if strings.HasSuffix(line, "?") {
			return strings.Join(above[max(0, i-2):i+1], " · ")
		}
	}
	return strings.Join(above[max(0, len(above)-2):], " · ")
}

func bounded(text string) string {
	if len(text) > maxShown {
		return strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return text
}

// SignIn says how a person signs a program in, and what it said.
func SignIn(program, said string) string {
	a, known := accountFor(program)
	if !known {
		return said
	}
	if said == "" {
		return a.fix
	}
	return a.fix + " (" + said + ")"
}
