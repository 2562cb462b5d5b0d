package brenner_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"brenner"
)

const delta = "# Delta Contribution\n\n## Deltas\n\n```delta\n" +
	`{"operation":"ADD","section":"hypothesis_slate","target_id":null,"payload":{"name":"Gravity","claim":"It ` +
	`pulls.","mechanism":"Mass","anchors":["inference"]},"rationale":"r"}` +
	"\n```\n"

func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "brenner")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	project, err := brenner.Open(ctx, folder, brenner.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer project.Close()
	thread, err := project.Start(ctx, brenner.Start{Question: "Why do cells turn?", Context: "Seen in a dish.",
		Thread: "RS-20260110-turning-cells", To: []string{"BlueLake"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, _, err := project.Send(ctx, brenner.Message{Thread: thread, From: "BlueLake", To: []string{"Operator"},
		Subject: "DELTA[gpt]: Gravity", Body: delta}); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := project.Compile(ctx, thread); err != nil {
		fmt.Println(err)
		return
	}
	session, err := project.Session(ctx, thread)
	if err != nil {
		fmt.Println(err)
		return
	}
	findings, err := session.Lint()
	fmt.Println(session.Question(), session.Phase(), session.Version(), len(findings) > 0, err)
	// Output: Why do cells turn? compiled 1 true <nil>
}

// A thread that was exported is folded without a project: nothing is opened, and nothing is written.
func ExampleReadFold() {
	lines := `{"id":1,"thread_id":"RS-20260110-turning-cells","from":"Operator","to":["BlueLake"],"subject":"KICKOFF: turning cells",` +
		`"body_md":"# Kickoff\n\n## Research Question\nWhy do cells turn?\n","created_ts":"2026-01-10T10:00:00Z"}` + "\n" +
		`{"id":2,"thread_id":"RS-20260110-turning-cells","from":"BlueLake","to":["Operator"],"subject":"DELTA[gpt]: Gravity",` +
		`"body_md":` + quoted(delta) + `,"created_ts":"2026-01-10T11:00:00Z"}` + "\n"
	fold, findings, err := brenner.ReadFold(strings.NewReader(lines))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fold.Thread(), fold.Version(), len(findings), strings.Contains(fold.Artifact(), "It pulls."), len(fold.Lint()) > 0)
	// Output: RS-20260110-turning-cells 0 0 true true
}

func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always encodes
	}
	return string(data)
}
