package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestErrorKeepsCodeAndCause(t *testing.T) {
	err := fmt.Errorf("compile: %w", Errorf(NotFound, "no thread %s: %w", "T", io.EOF))
	if CodeOf(err) != NotFound || CodeOf(io.EOF) != Internal {
		t.Errorf("codes %s, %s", CodeOf(err), CodeOf(io.EOF))
	}
	if !errors.Is(err, &Error{Code: NotFound}) || errors.Is(err, &Error{Code: Conflict}) || !errors.Is(err, io.EOF) {
		t.Errorf("%v does not compare by its code and cause", err)
	}
}

func TestFindingJSON(t *testing.T) {
	bare := NewFinding(InvalidSection, "There is no section %s.", "x").WithFix("")
	data, err := json.Marshal(bare)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"code":"INVALID_SECTION","severity":"error","message":"There is no section ` +
		`x.","item":null,"path":null,"line":null,"column":null,"fix":null}`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("absent values are null (-want +got):\n%s", diff)
	}
	full := NewFinding(InvalidSection, "half of it").In("section").On("H2").At(3, 4).WithFix("Write %q.", "tests").Lowered()
	if data, err = json.Marshal(full); err != nil {
		t.Fatal(err)
	}
	var again Finding
	if err := json.Unmarshal(data, &again); err != nil || again != full || again.Severity != SeverityWarning ||
		again.Message != "half of it" {
		t.Errorf("%s became %+v (%v)", data, again, err)
	}
}

func TestSortByPlace(t *testing.T) {
	info, warning, failure := Finding{Severity: SeverityInfo}, Finding{Severity: SeverityWarning}, Finding{Severity: SeverityError}
	got := []Finding{info.At(2, 1), info.At(1, 5), warning.At(1, 5), failure.At(1, 5), failure.At(1, 9)}
	SortByPlace(got)
	want := []Finding{failure.At(1, 5), warning.At(1, 5), info.At(1, 5), failure.At(1, 9), info.At(2, 1)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
