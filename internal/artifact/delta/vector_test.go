package delta

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"brenner/internal/artifact"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

var update = flag.Bool("update", false, "write what the vectors give into their golden parts")

// Vectors are messages in testdata/*.txtar: NAME.strict.md or NAME.lenient.md, each followed
// by NAME.….want with the receipt, the accepted deltas and the near misses. NAME.door.strict.md is read as at the door.

type vector struct {
	name, body, want string
	intake           protocol.Intake
}

func eachVectorFile(t testing.TB, visit func(path string, archive *txtar.Archive)) {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		visit(path, archive)
	}
}

func vectorsOf(t testing.TB, archive *txtar.Archive) []vector {
	t.Helper()
	wants := map[string]string{}
	for _, f := range archive.Files {
		if name, ok := strings.CutSuffix(f.Name, ".want"); ok {
			wants[name] = string(f.Data)
		}
	}
	var vectors []vector
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".md")
		if !ok {
			continue
		}
		intake := protocol.Strict
		if strings.HasSuffix(name, ".lenient") {
			intake = protocol.Lenient
		}
		vectors = append(vectors, vector{name, unfold(string(f.Data)), wants[name], intake})
	}
	return vectors
}

func (v *vector) read() Reading {
	reading := Read(markup.Parse(v.body), v.intake)
	if strings.Contains(v.name, ".door.") {
		return reading.AtDoor()
	}
	return reading
}

// unfold puts in what a text file does not show well: ␍ is a carriage return, ␉ a tab, ␄ at
// the end takes the last line ending away.
func unfold(body string) string {
	return strings.NewReplacer("␍\n", "\r\n", "␉", "\t", "␄\n", "").Replace(body)
}

func TestVectors(t *testing.T) {
	eachVectorFile(t, func(path string, archive *txtar.Archive) {
		if *update {
			updateVectors(t, path, archive)
		}
		for _, v := range vectorsOf(t, archive) {
			t.Run(filepath.Base(path)+"/"+v.name, func(t *testing.T) {
				got := describe(v.read())
				if diff := cmp.Diff(v.want, got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			})
		}
	})
}

func updateVectors(t *testing.T, path string, archive *txtar.Archive) {
	t.Helper()
	out := &txtar.Archive{Comment: archive.Comment}
	for _, v := range vectorsOf(t, archive) {
		for _, f := range archive.Files {
			if f.Name == v.name+".md" {
				out.Files = append(out.Files, f)
			}
		}
		want := describe(v.read())
		out.Files = append(out.Files, txtar.File{Name: v.name + ".want", Data: []byte(want)})
	}
	if err := os.WriteFile(path, txtar.Format(out), 0o644); err != nil {
		t.Fatal(err)
	}
	*archive = *out
}

// describe writes a reading as text, one fact per line.
func describe(r Reading) string {
	var b strings.Builder
	fmt.Fprintf(&b, "found %d accepted %d rejected %d\n", r.Receipt.Found, r.Receipt.Accepted, r.Receipt.Rejected)
	for _, k := range r.Receipt.Blocks {
		fmt.Fprintf(&b, "block %d line %d %s %q %q %q\n", k.Index, k.Line, k.Status, k.Operation, k.Section, k.TargetID)
		for _, f := range k.Findings {
			fmt.Fprintf(&b, "  %s\n", describeFinding(f))
		}
	}
	for i := range r.Deltas {
		describeDelta(&b, &r.Deltas[i])
	}
	for _, f := range r.NearMisses {
		fmt.Fprintf(&b, "near miss %s\n", describeFinding(f))
	}
	return b.String()
}

func describeFinding(f protocol.Finding) string {
	return fmt.Sprintf("%d:%d %s %s %s | %s | %s", f.Line, f.Column, f.Severity, f.Code, f.Path, f.Message, f.Fix)
}

func describeDelta(b *strings.Builder, d *Delta) {
	fmt.Fprintf(b, "delta %d %s %s target=%q local=%q rationale=%q reason=%q\n",
		d.Block, d.Operation, d.Section, d.Target, d.LocalID, d.Rationale, d.Reason)
	for _, f := range d.Fields {
		fmt.Fprintf(b, "  %s %d:%d = %s", f.Path, f.Line, f.Column, artifact.AppendValue(nil, f.Value))
		if f.Replace {
			b.WriteString(" replace")
		}
		if len(f.ClearKeys) > 0 {
			fmt.Fprintf(b, " clear %q", f.ClearKeys)
		}
		b.WriteByte('\n')
	}
	for _, e := range d.Extra {
		fmt.Fprintf(b, "  extra %q = %s\n", e.Name, e.Value)
	}
}
