package message

import (
	"os"
	"strings"
	"testing"

	"brenner/internal/protocol"

	"github.com/google/go-cmp/cmp"
)

// TestSpecifications holds every example, template and message text of the specifications to
// the verdict that PROTOCOL gives it.
func TestSpecifications(t *testing.T) { runVectors(t, "testdata/specs") }

// TestSpecificationSubjects: type, codes about the subject, subject.
func TestSpecificationSubjects(t *testing.T) {
	data, err := os.ReadFile("testdata/specs/subjects.txt")
	if err != nil {
		t.Fatal(err)
	}
	for row := range strings.Lines(string(data)) {
		want, subject, _ := cutLast(strings.TrimSuffix(row, "\n"), "\t")
		report := Check(Draft{Subject: subject, Body: "# x\n"}, Facts{})
		var codes []string
		for _, f := range report.Findings {
			if f.Path == "subject" {
				codes = append(codes, string(f.Code))
			}
		}
		if codes == nil {
			codes = []string{"-"}
		}
		if diff := cmp.Diff(want, string(report.Type)+"\t"+strings.Join(codes, ",")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", subject, diff)
		}
	}
}

func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return "", text, false
	}
	return text[:i], text[i+len(sep):], true
}

// TestSamplesAreText: inside an outer fence of another kind every example is a sample, of
// which neither MB-121 nor MB-122 is said (PROTOCOL 4).
func TestSamplesAreText(t *testing.T) {
	for _, v := range vectors(t, "testdata/specs") {
		if strings.Contains(v.want, "MB-122") {
			continue // an object in a fence of another kind is meant as a delta
		}
		body := "# Information\n\n~~~~~markdown\n" + v.draft.Body + "~~~~~\n"
		report := Check(Draft{Subject: "INFO: an example", Body: body}, Facts{})
		for _, f := range report.Findings {
			t.Errorf("%s: %s at line %d", v.file, f.Code, f.Line)
		}
		if report.Receipt != nil {
			t.Errorf("%s: a receipt for samples", v.file)
		}
	}
}

// TestReplyTypes: a reply is an INFO and judged as one, except a DELTA with a block.
func TestReplyTypes(t *testing.T) {
	block := one(t, "testdata/specs/delta-02-add-hypothesis.txtar").draft.Body
	for _, c := range []struct {
		subject, body string
		want          protocol.MessageType
	}{
		{"Re: KICKOFF: x", "got it", protocol.TypeInfo},
		{"RE: re: KICKOFF: x", "got it", protocol.TypeInfo},
		{"Re: DELTA[gpt]: x", "thanks", protocol.TypeInfo},
		{"Re: DELTA[gpt]: x", block, protocol.TypeDelta},
		{"Re: CRITIQUE: x", "you are right", protocol.TypeInfo},
		{"Re: ACK: x", "thanks", protocol.TypeInfo},
	} {
		report := Check(Draft{Subject: c.subject, Body: c.body}, Facts{})
		if report.Type != c.want || report.Refused() {
			t.Errorf("%s: type %s, want %s\n%s", c.subject, report.Type, c.want, describe(report))
		}
	}
}

// one reads a file that holds a single vector.
func one(t testing.TB, file string) vector {
	t.Helper()
	for _, v := range vectors(t, "testdata/specs") {
		if v.file == file {
			return v
		}
	}
	t.Fatalf("no vector %s", file)
	return vector{}
}
