package literature

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/protocol"
)

const watchHead = "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,RetractionDate,RetractionDOI," +
	"RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,Reason,Paywalled,Notes\n"

func notices(t *testing.T, text string) []Notice {
	t.Helper()
	var list []Notice
	if _, err := ReadRetractions(strings.NewReader(text), func(n Notice) { list = append(list, n) }); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestRetractionWatch(t *testing.T) {
	got := notices(t, "\uFEFF"+watchHead+
		"1,\"A, \"\"title\"\"\nof two lines\",s,i,j,p,c,a,u,t,7/24/2025 0:00,10.1126/science.ADU5488,0,6/3/2011 "+
		"0:00,10.1126/SCIENCE.1197258,21127214,Retraction,+Error in Data;+Unreliable Results;,No,\n"+
		"2,B,s,i,j,p,c,a,u,t,1/2/2012 0:00,unavailable,0,6/3/2011 0:00,unavailable,0,Retraction,,No,\n"+
		"3,C,s,i,j,p,c,a,u,t,1/2/2012 0:00,,,6/3/2011 0:00,10.1000/c,,Expression of concern,,No,\r\n"+
		"4,too,short\n\n")
	want := []Notice{
		{Nature: Retraction, Words: "Retraction", Of: Identifiers{"10.1126/science.1197258", "21127214"},
			By: Identifiers{DOI: "10.1126/science.adu5488"}, Day: "2025-07-24", Reason: "Error in Data; Unreliable Results"},
		{Nature: Concern, Words: "Expression of concern", Of: Identifiers{DOI: "10.1000/c"}, Day: "2012-01-02"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if note := got[0].Note(); note != "retraction, 2025-07-24, Error in Data; Unreliable Results, notice 10.1126/science.adu5488" {
		t.Error(note)
	}
	if note := got[1].Note(); note != "expression of concern, 2012-01-02" {
		t.Error(note)
	}
}

func TestCrossref(t *testing.T) {
	want := []Notice{{Nature: Retraction, Words: "retraction", Of: Identifiers{DOI: "10.1000/a"}, By: Identifiers{DOI: "10.1000/notice"},
		Day: "2025-07-24"}}
	for name, text := range map[string]string{
		"notice": `{"DOI": "10.1000/Notice", "update-to": [{"DOI": "10.1000/A", "type": "retraction", "updated": {"date-parts": [[2025, ` +
			`7, 24]]}}]}`,
		"work": `[{"DOI": "10.1000/A", "updated-by": [{"DOI": "10.1000/Notice", "type": "retraction", "updated": {"date-parts": ` +
			`[[2025, 7, 24]]}}]}]`,
		"answer": `{"status": "ok", "message": {"total-results": 1, "items": [{"DOI": "10.1000/NOTICE", "update-to": [{"DOI": ` +
			`"10.1000/a", "type": "retraction", "updated": {"date-parts": [[2025, 7, 24]]}}]}]}}`,
		"message": `{"status": "ok", "message": {"DOI": "10.1000/A", "updated-by": [{"DOI": "10.1000/Notice", "type": "retraction", ` +
			`"updated": {"date-parts": [[2025, 7, 24]]}}, {"DOI": "10.1000/v2", "type": "new_version"}]}}`,
	} {
		if diff := cmp.Diff(want, notices(t, text)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := notices(t, `{"message": {"items": []}}`); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestJudge(t *testing.T) {
	retraction, concern := Notice{Nature: Retraction, Day: "2014-01-01"}, Notice{Nature: Concern, Day: "2012-01-01"}
	back := Notice{Nature: Reinstatement, Day: "2016-01-01"}
	for name, c := range map[string]struct {
		notices []Notice
		want    Notice
		ok      bool
	}{
		"none":                  {nil, Notice{}, false},
		"unrelated":             {[]Notice{{Nature: Unrelated}}, Notice{}, false},
		"concern, then retract": {[]Notice{retraction, concern}, retraction, true},
		"corrected afterwards":  {[]Notice{retraction, {Nature: Correction, Day: "2015-01-01"}}, retraction, true},
		"reinstated":            {[]Notice{back, retraction}, back, true},
		"reinstated that day": {[]Notice{{Nature: Reinstatement, Day: "2014-01-01"}, retraction},
			Notice{Nature: Reinstatement, Day: "2014-01-01"}, true},
		"retracted again": {[]Notice{{Nature: Retraction, Day: "2017-01-01"}, back, retraction},
			Notice{Nature: Retraction, Day: "2017-01-01"}, true},
		"reinstated without day": {[]Notice{{Nature: Reinstatement}, retraction}, retraction, true},
	} {
		if got, ok := Judge(c.notices); ok != c.ok || got != c.want {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
}

func TestRefusedSnapshots(t *testing.T) {
	for _, text := range []string{
		"", "a,b\n1,2\n", watchHead + "1,\"never closed", `{"a": 1}`, `{"DOI": nonsense}`, "[" + strings.Repeat("[", 200),
		`[{"DOI":"10.1000/a"}`, "{} {}",
	} {
		if _, err := ReadRetractions(strings.NewReader(text), func(Notice) {}); protocol.CodeOf(err) != protocol.InvalidInput {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

// rows is a CSV that never exists as a whole.
type rows struct {
	n, left int
	buffer  []byte
}

func (r *rows) Read(p []byte) (int, error) {
	if len(r.buffer) == 0 {
		if r.left == 0 {
			return 0, io.EOF
		}
		r.left--
		r.n++
		r.buffer = fmt.Appendf(nil, "%d,\"A, %d\",s,i,j,p,c,a,u,t,7/24/2025 0:00,10.1000/n%d,0,6/3/2011 "+
			"0:00,10.1000/a%d,0,Retraction,+Error in Data;,No,\"%s\"\n",
			r.n, r.n, r.n, r.n, "x")
	}
	n := copy(p, r.buffer)
	r.buffer = r.buffer[n:]
	return n, nil
}

// A million rows are read in a stream: the memory does not grow with them.
func TestMillionRows(t *testing.T) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	seen := 0
	s, err := ReadRetractions(io.MultiReader(strings.NewReader(watchHead), &rows{left: 1_000_000}), func(n Notice) { seen++ })
	runtime.ReadMemStats(&after)
	if err != nil || s.Notices != 1_000_000 || seen != 1_000_000 || s.Newest != "2025-07-24" {
		t.Errorf("%+v, %d, %v", s, seen, err)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 32<<20 {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	}
}

// A cell without end is read, not kept.
func TestEndlessCell(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(watchHead+"1,\""), io.LimitReader(zeros{}, 64<<20))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ReadRetractions(endless, func(Notice) {})
	runtime.ReadMemStats(&after)
	if protocol.CodeOf(err) != protocol.InvalidInput {
		t.Errorf("got %v", err)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 16<<20 {
		t.Errorf("%d MiB were allocated", allocated>>20)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func FuzzRetractions(f *testing.F) {
	f.Add(watchHead + "1,\"a\"\"b\",,,,,,,,,7/24/2025,10.1000/n,,,10.1000/a,1,Retraction,x,,\n")
	f.Add(`{"message": {"items": [{"DOI": "10.1000/a", "updated-by": [{"type": "retraction"}]}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var list []Notice
		_, _ = ReadRetractions(strings.NewReader(text), func(n Notice) { list = append(list, n) })
		if n, ok := Judge(list); ok {
			_ = n.Note()
		}
	})
}
