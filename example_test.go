package brenner_test

import (
	"context"
	"fmt"
	"os"

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
