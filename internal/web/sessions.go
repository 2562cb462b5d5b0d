package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/protocol"
	"brenner/internal/session"
)

// sessionsPerPage is how many questions the list shows at a time: what fits on a screen.
const sessionsPerPage = 10

// sessionsPage is the list of all questions.
type sessionsPage struct {
	Groups   []questionGroup
	Tabs     []choice
	Orders   []choice
	Hidden   url.Values // what the search keeps
	Text     string
	Total    int
	Waiting  int
	Matching int
	Pager    pager
	Lab      bool
}

// questionGroup is a run of rows under a heading; without one where the list is not sorted by what waits.
type questionGroup struct {
	Name  string
	Count int // on all pages
	Rows  []questionRow
}

// choice is one of several ways to see a list.
type choice struct {
	Name    string
	Count   int
	URL     string
	Current bool
}

var groupNames = map[session.QuestionGroup]string{
	session.QuestionsWaiting: "Waiting for you", session.QuestionsMoving: "Moving without you", session.QuestionsClosed: "Closed",
}

// orders are the ways to sort questions; the first is the one of an address that does not say.
var orders = []struct {
	order session.QuestionOrder
	name  string
}{{session.ByWaits, "what waits, then what moved most"}, {session.ByLeastSettled, "least settled"}, {session.ByNewest, "newest"}}

// sessions shows the questions of the project: what is believed, what is still open, what was run, what waits.
func (w *Web) sessions(r *http.Request) (view, error) {
	q, at, err := questionQuery(r.URL.Query())
	if err != nil {
		return view{}, err
	}
	if q.Threads, err = w.deps.Access(r.Context()).ThreadSet(r.Context()); err != nil {
		return view{}, err
	}
	found, err := w.deps.Sessions.Questions(r.Context(), q)
	if err != nil {
		return view{}, err
	}
	p := sessionsPage{
		Text: q.Text, Total: found.Total, Matching: found.Matching, Waiting: found.Groups[session.QuestionsWaiting], Lab: w.options.Lab,
		Tabs: groupTabs(q, found.Groups), Orders: orderLinks(q), Hidden: addressOf(q),
		Pager: newPager(r.URL, at, sessionsPerPage, found.Matching),
	}
	p.Hidden.Del("q")
	for i := range found.List {
		one := &found.List[i]
		name := ""
		if q.Order == session.ByWaits {
			name = groupNames[one.Group]
		}
		if n := len(p.Groups); n == 0 || p.Groups[n-1].Name != name {
			p.Groups = append(p.Groups, questionGroup{Name: name, Count: found.Groups[one.Group]})
		}
		last := &p.Groups[len(p.Groups)-1]
		last.Rows = append(last.Rows, rowOf(one, w.options.Now()))
	}
	return view{Template: "sessions", Title: "Questions", Nav: "sessions", Data: p}, nil
}

// questionQuery reads an address of the list.
func questionQuery(query url.Values) (session.QuestionQuery, int, error) {
	q := session.QuestionQuery{
		Text: query.Get("q"), Group: session.QuestionGroup(query.Get("show")), Order: session.QuestionOrder(query.Get("sort")),
		Limit: sessionsPerPage,
	}
	if q.Order == "" {
		q.Order = session.ByWaits
	}
	known := false
	for _, o := range orders {
		known = known || o.order == q.Order
	}
	switch {
	case !known:
		return q, 0, protocol.Errorf(protocol.Usage, "questions are sorted by waits, settled or newest, not by %.40q", q.Order)
	case q.Group != "" && !slices.Contains(session.QuestionGroups, q.Group):
		return q, 0, protocol.Errorf(protocol.Usage, "questions are waiting, moving or closed, not %.40q", q.Group)
	}
	at, err := pageOf(query)
	q.Offset = (at - 1) * sessionsPerPage
	return q, at, err
}

// addressOf is the address of a list, without its page.
func addressOf(q session.QuestionQuery) url.Values {
	values := url.Values{}
	for name, value := range map[string]string{"q": q.Text, "show": string(q.Group), "sort": string(q.Order)} {
		if value != "" && value != string(session.ByWaits) {
			values.Set(name, value)
		}
	}
	return values
}

func listURL(q session.QuestionQuery) string {
	if values := addressOf(q); len(values) > 0 {
		return "/?" + values.Encode()
	}
	return "/"
}

func groupTabs(q session.QuestionQuery, counts map[session.QuestionGroup]int) []choice {
	now, all := q.Group, 0
	tabs := []choice{}
	for _, g := range session.QuestionGroups {
		q.Group = g
		name := string(g)
		tabs = append(tabs, choice{strings.ToUpper(name[:1]) + name[1:], counts[g], listURL(q), now == g})
		all += counts[g]
	}
	q.Group = ""
	return append([]choice{{"All", all, listURL(q), now == ""}}, tabs...)
}

func orderLinks(q session.QuestionQuery) []choice {
	now := q.Order
	var links []choice
	for _, o := range orders {
		q.Order = o.order
		links = append(links, choice{Name: o.name, URL: listURL(q), Current: o.order == now})
	}
	return links
}

// pageOf reads the number of a page.
func pageOf(query url.Values) (int, error) {
	text := query.Get("page")
	if text == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, protocol.Errorf(protocol.Usage, "%q is no number of a page", text)
	}
	return n, nil
}

// roleWords is a role as a person says it.
func roleWords(role string) string {
	if role == "unassigned" {
		return ""
	}
	return strings.ReplaceAll(role, "_", " ")
}

// numberWord writes small numbers as words.
func numberWord(n int) string {
	if words := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}; n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}
