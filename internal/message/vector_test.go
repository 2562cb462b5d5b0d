package message

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"brenner/internal/protocol"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what the code gives into the vectors and golden files")

// vector is one message with the verdict that it gets. A file holds several, each a folder
// with subject, body.md, facts.json (optional) and want.
type vector struct {
	file, name string
	draft      Draft
	facts      Facts
	want       string
}

// factsJSON is the part of a vector that is neither subject nor body.
type factsJSON struct {
	ThreadID    string   `json:"thread_id"`
	From        string   `json:"from"`
	AckRequired *bool    `json:"ack_required"`
	ReplyTo     int64    `json:"reply_to"`
	Intake      string   `json:"intake"`
	Existing    bool     `json:"existing"`
	Kickoff     string   `json:"kickoff"` // first or later
	Registered  []string `json:"registered"`
	Retired     []string `json:"retired"`
	Beads       []string `json:"beads"`
	Shorthand   string   `json:"shorthand"`
	Latest      *int     `json:"latest_version"`
	Base64      string   `json:"body_base64"` // a body that txtar cannot hold
	Repeat      int      `json:"repeat_body"` // how often the body is repeated
}

func (j factsJSON) apply(v *vector) error {
	v.draft.ThreadID, v.draft.From, v.draft.AckRequired, v.draft.ReplyTo = j.ThreadID, j.From, j.AckRequired, j.ReplyTo
	v.facts = Facts{
		Intake: protocol.Intake(j.Intake), Existing: j.Existing,
		Kickoff:         map[string]Place{"first": FirstKickoff, "later": LaterKickoff}[j.Kickoff],
		SenderShorthand: j.Shorthand, LatestVersion: j.Latest,
	}
	if j.Registered != nil {
		v.facts.AgentRegistered = func(name string) bool { return slices.Contains(j.Registered, name) }
	}
	v.facts.AgentRetired = func(name string) bool { return slices.Contains(j.Retired, name) }
	if j.Beads != nil {
		v.facts.BeadExists = func(id string) (bool, bool) { return slices.Contains(j.Beads, id), true }
	}
	if j.Latest != nil {
		v.facts.Versions = func(n int) bool { return n <= *j.Latest }
	}
	if j.Repeat > 0 {
		v.draft.Body = strings.Repeat(v.draft.Body, j.Repeat)
	}
	if j.Base64 != "" {
		body, err := base64.StdEncoding.DecodeString(j.Base64)
		v.draft.Body = string(body)
		return err
	}
	return nil
}

// vectors reads all vectors below a folder.
func vectors(t testing.TB, root string) []vector {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s: %v", root, err)
	}
	var all []vector
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, vectorsOf(t, file, archive)...)
	}
	return all
}

func vectorsOf(t testing.TB, file string, archive *txtar.Archive) []vector {
	t.Helper()
	var all []vector
	facts := map[string][]byte{}
	for _, f := range archive.Files {
		name, part := filepath.Split(f.Name)
		name = strings.TrimSuffix(name, "/")
		i := slices.IndexFunc(all, func(v vector) bool { return v.name == name })
		if i < 0 {
			i, all = len(all), append(all, vector{file: file, name: name})
		}
		switch part {
		case "subject":
			all[i].draft.Subject = strings.TrimSuffix(string(f.Data), "\n")
		case "body.md":
			all[i].draft.Body = string(f.Data)
		case "facts.json":
			facts[name] = f.Data
		case "want":
			all[i].want = string(f.Data)
		default:
			t.Fatalf("%s: unknown part %s", file, f.Name)
		}
	}
	for i := range all {
		var j factsJSON
		if data := facts[all[i].name]; data != nil {
			d := json.NewDecoder(bytes.NewReader(data))
			d.DisallowUnknownFields()
			if err := d.Decode(&j); err != nil {
				t.Fatalf("%s %s: %v", file, all[i].name, err)
			}
		}
		if err := j.apply(&all[i]); err != nil {
			t.Fatalf("%s %s: %v", file, all[i].name, err)
		}
	}
	return all
}

// verdict prints a report in the form of the want parts.
func verdict(r Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s ack=%t\n", r.Type, r.AckRequired)
	if r.Receipt != nil {
		fmt.Fprintf(&b, "receipt found=%d accepted=%d rejected=%d\n", r.Receipt.Found, r.Receipt.Accepted, r.Receipt.Rejected)
	}
	refs := reflect.ValueOf(r.References)
	for i := range refs.NumField() {
		if f := refs.Field(i); !f.IsZero() {
			fmt.Fprintf(&b, "%s %+v\n", refs.Type().Field(i).Name, f)
		}
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %s", f.Code, f.Severity)
		if f.Line > 0 {
			fmt.Fprintf(&b, " %d:%d", f.Line, f.Column)
		}
		if f.Path != "" {
			fmt.Fprintf(&b, " %s", f.Path)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// runVectors compares every vector of a folder with its verdict.
func runVectors(t *testing.T, root string) []vector {
	all := vectors(t, root)
	for i := range all {
		v := &all[i]
		t.Run(filepath.Base(v.file)+"/"+v.name, func(t *testing.T) {
			report := Check(v.draft, v.facts)
			got := verdict(report)
			if *update {
				v.want = got
				return
			}
			if diff := cmp.Diff(v.want, got); diff != "" {
				t.Errorf("verdict (-want +got):\n%s\n%s", diff, describe(report))
			}
			for _, f := range report.Findings {
				if f.Message == "" || f.Fix == "" {
					t.Errorf("%s says nothing: message %q, fix %q", f.Code, f.Message, f.Fix)
				}
			}
		})
	}
	if *update {
		rewrite(t, all)
	}
	return all
}

func describe(r Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %d:%d %s → %s\n", f.Code, f.Line, f.Column, f.Message, f.Fix)
	}
	return b.String()
}

// rewrite puts the verdicts of all vectors into their files.
func rewrite(t *testing.T, all []vector) {
	t.Helper()
	wants := map[string]map[string]string{}
	for _, v := range all {
		if wants[v.file] == nil {
			wants[v.file] = map[string]string{}
		}
		wants[v.file][v.name] = v.want
	}
	for file, byName := range wants {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var files []txtar.File
		for i, f := range archive.Files {
			name, part := filepath.Split(f.Name)
			if part != "want" {
				files = append(files, f)
			}
			if i+1 == len(archive.Files) || filepath.Dir(archive.Files[i+1].Name) != filepath.Dir(f.Name) {
				files = append(files, txtar.File{Name: name + "want", Data: []byte(byName[strings.TrimSuffix(name, "/")])})
			}
		}
		archive.Files = files
		if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
