package web

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/fold"
)

// readerOf is how the messages of a thread are shown. A thread that cannot be folded, a nil view, has no marks and no links, and its
// messages are shown all the same.
func (w *Web) readerOf(v *fold.View, in setting) *reader {
	rd := &reader{in: in}
	if v == nil {
		return rd
	}
	rd.cast, rd.places = castOf(v.Members()), linksTo(v)
	rd.links, rd.fate = linkerOf(v, rd.places), v.Science.Results.Fate
	rd.links.page = w.hasPage
	return rd
}

// take adds the views of threads that were not taken yet.
func (w *Web) take(ctx context.Context, views map[string]*fold.View, threads []string) {
	missing := slices.DeleteFunc(slices.Clone(threads), func(id string) bool { return id == "" || views[id] != nil })
	if len(missing) > 0 {
		maps.Copy(views, w.deps.Sessions.Views(ctx, missing))
	}
}

// readers are those of several threads.
func (w *Web) readers(views map[string]*fold.View, threads []string) map[string]*reader {
	readers := map[string]*reader{}
	for _, thread := range threads {
		if readers[thread] == nil {
			readers[thread] = w.readerOf(views[thread], inInbox)
		}
	}
	return readers
}

// linkerOf leads to the items of a thread: in the latest version, or in the draft where no version has them.
func linkerOf(v *fold.View, links pageLinks) *linker {
	items := v.Fold.Artifact()
	return &linker{thread: links.thread, item: func(id artifact.ItemID) (string, bool, bool) {
		it := items.Item(id)
		if it == nil {
			return "", false, false
		}
		return links.Item(id), it.Killed != nil, true
	}}
}

// linksTo leads to the places of a thread.
func linksTo(v *fold.View) pageLinks {
	latest := v.Fold.Latest()
	return pageLinks{thread: v.Fold.ThreadID(), latest: latest.Number, before: v.Fold.Before, pending: func(id artifact.ItemID) bool {
		it := v.Fold.Artifact().Item(id)
		return it != nil && it.Origin() != nil && it.Origin().MessageID > latest.MessageID
	}}
}

// hasPage tells whether a source or a section of the transcript is there to be read.
func (w *Web) hasPage(r ref) bool {
	if r.Kind == 'S' {
		n, err := strconv.Atoi(r.Name[len("§"):])
		return err == nil && w.deps.Transcript != nil && w.deps.Transcript.Numbers()[n]
	}
	id, _, _ := strings.Cut(r.Name, "#")
	_, err := w.deps.Sessions.Source(id)
	return err == nil
}
