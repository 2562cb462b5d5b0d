package web

import (
	"net/http"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/session"
)

// resultForm records the result of a test. It is there in lab mode, on the current state.
type resultForm struct {
	API    string
	Actor  string
	Test   string
	Labels []string // outcomes that hypotheses expect
}

// resultForm returns the form of a page, nil where nothing can be recorded.
func (w *Web) resultForm(r *http.Request, thread string, e session.Artifact, kind edition) *resultForm {
	if !w.options.Lab || kind == published && e.Version != e.Latest {
		return nil
	}
	return &resultForm{API: sessionAPI(thread) + "/results", Actor: w.deps.Viewer(r.Context()).actor()}
}

// of returns the form of one test.
func (f *resultForm) of(it *artifact.Item) *resultForm {
	form := *f
	form.Test = string(it.ID)
	expected, _ := it.Get(artifact.ExpectedOutcomes).(artifact.Map)
	for _, p := range expected {
		if label := short(200, p.Text); !slices.Contains(form.Labels, label) {
			form.Labels = append(form.Labels, label)
		}
	}
	return &form
}
