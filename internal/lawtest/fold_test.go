package lawtest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"

	"brenner"
	"brenner/internal/fold"
	"brenner/internal/science"
	"brenner/internal/session"
)

// fold asks the pure fold of the thread's messages, which knows no store and no project.
func (w *world) fold(question string) answer {
	w.t.Helper()
	lines, err := os.ReadFile(filepath.Join(w.dir, "thread.jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	if question == "artifact" { // as programs of others ask for it
		folded, _, err := brenner.ReadFold(bytes.NewReader(lines))
		if err != nil {
			w.t.Fatal(err)
		}
		return answer{0, folded.Artifact()}
	}
	view, _, err := session.FoldLines(bytes.NewReader(lines))
	if err != nil {
		w.t.Fatal(err)
	}
	said, ok := folds[question]
	if !ok {
		w.t.Fatalf("nobody asks the fold for %q", question)
	}
	text, err := json.Marshal(said(view))
	if err != nil {
		w.t.Fatal(err)
	}
	return answer{0, string(text)}
}

// folds are the questions to a fold.
var folds = map[string]func(v *fold.View) any{
	"round":       func(v *fold.View) any { return map[string]int{"round": v.Round} },
	"before":      func(v *fold.View) any { return map[string]int{"from": v.Fold.Before(v.Latest()), "to": v.Latest()} },
	"results":     func(v *fold.View) any { return v.Science.ResultRows() },
	"predictions": func(v *fold.View) any { return v.Science.PredictionReport(nil) },
	"next": func(v *fold.View) any {
		return v.Science.Account(v.Science.People(nil, func(a science.Agent) string { return a.Family(nil) })).Next(science.ByBitsPerEffort)
	},
}
