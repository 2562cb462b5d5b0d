package protocol

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

type subjectVector struct {
	Subject, Why, Fix string
	Bytes             []byte // a subject that JSON cannot hold
	Sender            string // the sender's shorthand
	Block             bool   // the body has a delta block
	Type, Classified  MessageType
	Shorthand         string
	Description       string
	Reply, Invalid    bool // Invalid: under strict intake
	Findings, Lenient []string
}

func (v subjectVector) text() string {
	if v.Bytes != nil {
		return string(v.Bytes)
	}
	return v.Subject
}

func TestSubjectVectors(t *testing.T) {
	for _, v := range readVectors[subjectVector](t, "subject.json") {
		t.Run(v.text(), func(t *testing.T) {
			subject, findings := ParseSubject(v.text(), Strict)
			findings = append(findings, subject.CheckSender(v.Sender)...)
			wellFormed(t, findings)
			if diff := cmp.Diff(v.Findings, verdict(findings)); diff != "" {
				t.Errorf("strict (-want +got):\n%s", diff)
			}
			want := Subject{v.Type, v.Shorthand, v.Description, v.Reply, !v.Invalid}
			if diff := cmp.Diff(want, subject); diff != "" {
				t.Errorf("subject (-want +got):\n%s", diff)
			}
			if !strings.Contains(fixes(findings), v.Fix) {
				t.Errorf("fix %q does not name %q", fixes(findings), v.Fix)
			}
			v.checkLenient(t)
			if got, want := subject.Classify(v.Block), v.classified(); got != want {
				t.Errorf("classified as %s, want %s", got, want)
			}
		})
	}
}

func (v subjectVector) checkLenient(t *testing.T) {
	t.Helper()
	subject, findings := ParseSubject(v.text(), Lenient)
	findings = append(findings, subject.CheckSender(v.Sender)...)
	if diff := cmp.Diff(v.Lenient, verdict(findings)); diff != "" {
		t.Errorf("lenient (-want +got):\n%s", diff)
	}
	if subject.Valid != (v.Type != "") {
		t.Errorf("lenient: valid = %t", subject.Valid)
	}
}

func (v subjectVector) classified() MessageType {
	switch {
	case v.Classified != "":
		return v.Classified
	case v.Invalid:
		return TypeInfo
	default:
		return v.Type
	}
}

func TestShorthandVectors(t *testing.T) {
	type vector struct{ Program, Model, Shorthand string }
	for _, v := range readVectors[vector](t, "shorthand.json") {
		if got := Shorthand(v.Program, v.Model); got != v.Shorthand {
			t.Errorf("Shorthand(%q, %q) = %q, want %q", v.Program, v.Model, got, v.Shorthand)
		}
	}
}

// TestDeltaSubject: no agent posts DELTA[human], whatever is known of it.
func TestDeltaSubject(t *testing.T) {
	for _, v := range []struct{ name, program, model, want string }{
		{"BlueLake", "codex-cli", "gpt-5.2", "DELTA[gpt]: x"},
		{"BlueLake", "", "", "DELTA[agent]: x"},
		{"BlueLake", "custom", "42", "DELTA[agent]: x"},
		{"BlueLake", "custom", "human", "DELTA[agent]: x"},
		{"Sydney", "operator", "", "DELTA[human]: x"},
		{"operator", "", "", "DELTA[human]: x"},
	} {
		if got := DeltaSubject(v.name, v.program, v.model, "x"); got != v.want {
			t.Errorf("%s (%s, %s): %s, want %s", v.name, v.program, v.model, got, v.want)
		}
	}
}

func TestAckDefaults(t *testing.T) {
	var asking []MessageType
	for _, mt := range MessageTypes() {
		if mt.AckDefault() {
			asking = append(asking, mt)
		}
	}
	want := []MessageType{TypeKickoff, TypeCritique, TypeHandoff, TypeBlocked, TypeQuestion}
	if diff := cmp.Diff(want, asking); diff != "" {
		t.Errorf("types that ask for an acknowledgement (-want +got):\n%s", diff)
	}
}

// FuzzSubject: nothing panics; what strict intake accepts, lenient does too; lenient intake
// knows no errors but the encoding; a suggested subject is valid.
func FuzzSubject(f *testing.F) {
	for _, v := range readVectors[subjectVector](f, "subject.json") {
		f.Add(v.text())
	}
	f.Fuzz(func(t *testing.T, text string) {
		strict, _ := ParseSubject(text, Strict)
		lenient, findings := ParseSubject(text, Lenient)
		if strict.Valid && !lenient.Valid {
			t.Errorf("%q is valid in strict intake only", text)
		}
		if HasErrors(findings) && utf8.ValidString(text) && !strings.Contains(text, "\x00") {
			t.Errorf("%q: lenient intake gives errors: %v", text, findings)
		}
		suggestion, _ := suggestSubject(text)
		if s, _ := ParseSubject(suggestion, Strict); utf8.ValidString(text) && !s.Valid && !strings.Contains(text, "\x00") {
			t.Errorf("suggested %q for %q", suggestion, text)
		}
	})
}

// FuzzPrefix compares the prefix of a subject with what regular expressions find.
func FuzzPrefix(f *testing.F) {
	strict := regexp.MustCompile(`^(KICKOFF|DELTA|COMPILED|CRITIQUE|ACK|CLAIM|HANDOFF|BLOCKED|QUESTION|INFO)(?:\[([^\]]*)\])?:`)
	reply := regexp.MustCompile(`^(?:(?i:re): *)+`)
	word := regexp.MustCompile(`^[a-z]+$`)
	for _, s := range []string{"DELTA[gpt]: x", "Re: re:RE:  INFO: a", "DELTA[]:", "DELTA[a\n]]: b", "INFO[x]: a", "DELTA: x", "INFO",
		"INFO :", "re :", "DELTA[a", "Re:\u00a0INFO:", "ACK:: b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		if got, want := withoutReply(text), text[len(reply.FindString(text)):]; got != want {
			t.Fatalf("%q without Re: is %q, want %q", text, got, want)
		}
		if got := shorthandWord(text); got != word.MatchString(text) {
			t.Fatalf("%q is a shorthand: %v", text, got)
		}
		p, ok := cutPrefix(text)
		m := strict.FindStringSubmatchIndex(text)
		if ok != (m != nil) {
			t.Fatalf("%q has a prefix: %v", text, ok)
		}
		if ok && (string(p.kind) != text[m[2]:m[3]] || p.bracketed != (m[4] >= 0) || p.size != m[1] || p.bracketed &&
			p.word != text[m[4]:m[5]]) {
			t.Fatalf("%q: %+v, want %v", text, p, m)
		}
	})
}
