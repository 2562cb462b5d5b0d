package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"brenner/internal/mail"
	"brenner/internal/store/postgres/pgtest"
)

// TestSearchAgainstModel compares the index with a look at every message: for any expression,
// with all messages in the index and with some behind its watermark.
func TestSearchAgainstModel(t *testing.T) {
	l := newLab(t, open(t, pgtest.DSN(t)))
	vocabulary := []string{"alpha", "alphabet", "beta", "Gamma", "naïve", "naïveté", "x1", "1x", "it's", "back\\slash", "日本", "é", "rare",
		"e\u0301"}
	random := rand.New(rand.NewPCG(1, 2))
	var all []mail.Message
	grow := func(n int) {
		var entries []mail.Entry
		for range n {
			var text []string
			for range 1 + random.IntN(12) {
				// Words of the front are common, those of the end rare.
				i := min(random.IntN(len(vocabulary)), random.IntN(len(vocabulary)))
				text = append(text, vocabulary[i])
			}
			e := entry(fmt.Sprintf("COORD-t%d", random.IntN(3)), vocabulary[random.IntN(3)])
			e.Message.Body = strings.Join(text, []string{" ", ", ", "-"}[random.IntN(3)])
			entries = append(entries, e)
		}
		all = append(all, l.mustSend(entries...)...)
	}
	grow(3000)
	if err := l.store.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	grow(300)
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom(append(vocabulary, "absent", "alph"))
		var text func(depth int) string
		text = func(depth int) string {
			switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
			case kind == 0:
				return word.Draw(t, "word") + "*"
			case kind == 1:
				return `"` + word.Draw(t, "word") + " " + word.Draw(t, "word") + `"`
			case kind == 2 && depth > 0:
				return "(" + text(depth-1) + " OR " + text(depth-1) + ")"
			case kind == 3 && depth > 0:
				return "(" + text(depth-1) + " NOT " + text(depth-1) + ")"
			case kind == 4 && depth > 0:
				return "(" + text(depth-1) + " " + text(depth-1) + ")"
			}
			return word.Draw(t, "word")
		}
		query := text(3)
		expr, err := mail.ParseSearch(query)
		if err != nil {
			t.Skip()
		}
		q := mail.SearchQuery{Project: l.project, Expr: expr, Limit: rapid.SampledFrom([]int{1, 20, 150, 5000}).Draw(t, "limit")}
		if rapid.Bool().Draw(t, "in a thread") {
			q.Thread = "COORD-t1"
		}
		got, err := l.store.Search(context.Background(), q)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if diff := cmp.Diff(ids(model(q, all)), ids(got)); diff != "" {
			t.Fatalf("%s: the index differs from the model:\n%s", query, diff)
		}
	})
}

// TestSearchWhatWasSaidLongAgo: words that the newest messages hardly have are found however many older ones have them, in a store of one
// project and in one where another writes more.
func TestSearchWhatWasSaidLongAgo(t *testing.T) {
	for _, others := range []int{0, 3} { // messages of another project for each of this one
		l := newLab(t, open(t, pgtest.DSN(t)))
		beside := &lab{t, l.store, 0}
		p, err := l.store.EnsureProject(t.Context(), "/srv/beside", start)
		if err != nil {
			t.Fatal(err)
		}
		beside.project = p.ID
		for _, name := range []string{"BlueLake", "RedSky"} {
			if _, err := l.store.PutAgent(t.Context(),
				mail.Agent{Project: p.ID, Name: name, InceptionAt: start, LastActiveAt: start}); err != nil {
				t.Fatal(err)
			}
		}
		var all []mail.Message
		grow := func(n int, words string) {
			for ; n > 0; n -= 100 {
				var own, foreign []mail.Entry
				for range min(n, 100) {
					e := entry("COORD-a", "INFO: one")
					e.Message.Body = words
					own, foreign = append(own, e), append(foreign, slices.Repeat([]mail.Entry{e}, others)...)
				}
				if all = append(all, l.mustSend(own...)...); others > 0 {
					beside.mustSend(foreign...)
				}
			}
		}
		grow(60, "few")
		grow(300, "many")
		grow(1500, "new")
		grow(2, "few many")
		if err := l.store.Rebuild(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"few", "many", "new", "few many", `"few many"`, "absent"} {
			for _, limit := range []int{1, 20, 150} {
				expr, err := mail.ParseSearch(word)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(ids(model(mail.SearchQuery{Project: l.project, Expr: expr, Limit: limit}, all)),
					ids(l.search(word, limit))); diff != "" {
					t.Errorf("%s, %d of them, beside %d: the index differs from the model:\n%s", word, limit, others, diff)
				}
			}
		}
	}
}

// model searches by looking at everything.
func model(q mail.SearchQuery, all []mail.Message) []mail.Message {
	var found []mail.Message
	for _, m := range slices.Backward(all) {
		if q.Match(&m) {
			found = append(found, m)
		}
	}
	return mail.Rank(q, found)
}

func ids(list []mail.Message) []int64 {
	found := make([]int64, len(list))
	for i := range list {
		found[i] = list[i].ID
	}
	return found
}

// TestSearchLargeMessages: words that an index cannot take are found all the same.
func TestSearchLargeMessages(t *testing.T) {
	l := newLab(t, open(t, pgtest.DSN(t)))
	long := strings.Repeat("long", 600)
	var many strings.Builder
	for i := range 150_000 {
		fmt.Fprintf(&many, "w%d ", i)
	}
	bodies := []string{"small needle", "the word " + long + "est", many.String() + "needle", "the word " + long}
	for _, body := range bodies {
		e := entry("COORD-a", "INFO: text")
		e.Message.Body = body
		l.mustSend(e)
	}
	if err := l.store.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	status, err := l.store.Status(t.Context())
	if err != nil || status.Lag() != 0 {
		t.Fatalf("after a rebuild the index is %d behind, %v", status.Lag(), err)
	}
	for query, want := range map[string][]int64{
		"needle":           {1, 3},
		"w149999":          {3},
		"w149999 NOT w7":   {},
		"needle NOT w7":    {1},
		"needle NOT text":  {},
		long:               {4},
		long + "*":         {2, 4},
		long + "est":       {2},
		`"word ` + long:    {4},
		"word NOT " + long: {2},
	} {
		got := ids(l.search(query, 20))
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%.20s: %s", query, diff)
		}
	}
}

// TestSearchIndexCatchesUp: without any search the lag ends by itself.
func TestSearchIndexCatchesUp(t *testing.T) {
	l := newLab(t, open(t, pgtest.DSN(t)))
	for i := range 10 {
		l.mustSend(entry("COORD-a", fmt.Sprintf("INFO: number%d", i)))
		if found := l.search(fmt.Sprintf("number%d", i), 5); len(found) != 1 {
			t.Fatalf("the message just sent is found %d times", len(found))
		}
	}
	within(t, "the index catches up", func() bool {
		status, err := l.store.Status(t.Context())
		return err == nil && status.Lag() == 0 && status.Indexed == 10
	})
}
