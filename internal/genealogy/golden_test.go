package genealogy_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"brenner/internal/artifact"
	"brenner/internal/genealogy"
	"brenner/internal/genealogy/draw"
)

var update = flag.Bool("update", false, "rewrite golden files")

// session is how test data writes a session; message n was written n minutes past ten.
type session struct {
	ID    string
	Items []struct {
		ID, Name, Agent, Killed string
		Message                 int64
		References              [][3]string
	}
}

func decode(t testing.TB, data []byte) []genealogy.Session {
	t.Helper()
	var raw []session
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	sessions := make([]genealogy.Session, len(raw))
	for i, r := range raw {
		a := artifact.New()
		for _, x := range r.Items {
			id, section, _, ok := artifact.ParseItemID(x.ID)
			if !ok {
				t.Fatalf("%s is no item", x.ID)
			}
			src := &artifact.Source{
				MessageID: x.Message, Block: 1, Agent: x.Agent,
				At: time.Date(2026, 1, 10, 10, int(x.Message), 0, 0, time.UTC),
			}
			it := artifact.NewItem(id, section)
			name := map[artifact.Section]string{
				artifact.ResearchThread: artifact.Statement, artifact.PredictionsTable: artifact.Condition,
			}[section]
			if name == "" {
				name = artifact.Name
			}
			it.Set(name, artifact.Text(x.Name))
			it.SetSource(name, src)
			var refs artifact.References
			for _, ref := range x.References {
				refs = append(refs, artifact.Reference{Session: ref[0], Item: ref[1], Relation: ref[2]})
			}
			if refs != nil {
				it.Set(artifact.ReferencesField, refs)
				it.SetSource(artifact.ReferencesField, src)
			}
			if x.Killed != "" {
				it.Killed = &artifact.Kill{Reason: x.Killed}
			}
			if section == artifact.ResearchThread {
				a.Thread = it
			} else {
				a.Add(it)
			}
		}
		sessions[i] = genealogy.Session{ID: r.ID, Artifact: a}
	}
	return sessions
}

func load(t testing.TB, name string) []genealogy.Session {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, ar.Files[0].Data)
}

// TestGolden holds every output of every file in testdata. The pictures are beside the
// archives, to be looked at.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sessions := decode(t, ar.Files[0].Data)
			g := genealogy.Build(sessions)
			slices.Reverse(sessions)
			if d := cmp.Diff(g.Report(), genealogy.Build(sessions).Report()); d != "" {
				t.Errorf("the order of sessions matters:\n%s", d)
			}
			report, err := json.MarshalIndent(g.Report(), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got := []txtar.File{
				ar.Files[0],
				{Name: "tree", Data: []byte(draw.Tree(g))},
				{Name: "dot", Data: []byte(draw.DOT(g))},
				{Name: "mermaid", Data: []byte(draw.Mermaid(g))},
				{Name: "json", Data: append(report, '\n')},
			}
			picture := strings.TrimSuffix(file, ".txtar") + ".svg"
			wellFormed(t, draw.SVG(g))
			if *update {
				ar.Files = got
				write(t, file, txtar.Format(ar))
				write(t, picture, []byte(draw.SVG(g)))
			}
			want, err := os.ReadFile(picture)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), draw.SVG(g)); d != "" {
				t.Errorf("%s (-want +got):\n%s", picture, d)
			}
			if d := cmp.Diff(asMap(ar.Files), asMap(got)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func asMap(files []txtar.File) map[string]string {
	m := map[string]string{}
	for _, f := range files {
		m[f.Name] = string(f.Data)
	}
	return m
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// wellFormed reads the picture as XML and refuses elements that a name could only have
// smuggled in.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	known := "svg title desc style defs clipPath rect marker path g text"
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok && !slices.Contains(strings.Fields(known), e.Name.Local) {
			t.Errorf("unexpected element %s", e.Name.Local)
		}
	}
}
