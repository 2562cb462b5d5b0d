package web

import (
	"fmt"
	"html/template"
	"io/fs"
	"math/rand/v2"
	"path"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// shownParts are the parts of pages, with a view of each.
var shownParts = []struct {
	page, name string
	view       any
}{
	{"artifact", "item", itemView{}},
	{"artifact", "ids", []indexEntry{}},
	{"artifact", "stubs", []indexEntry{}},
	{"artifact", "numbers", []pageLink{}},
	{"artifact", "violations", []violationView{}},
	{"artifact", "notes", []noteView{}},
	{"artifact", "matrix", matrixView{}},
	{"diff", "change", changeView{}},
	{"diff", "clash", clashView{}},
	{"diff", "region", regionView{}},
	{"session", "timeline-entry", mailEntry{}},
	{"inbox", "letter", inboxEntry{}},
	{"sessions", "question-row", questionRow{}},
	{"search", "hit", hit{}},
}

// TestEveryPartHasAView: the templates name no other part.
func TestEveryPartHasAView(t *testing.T) {
	known := map[string]bool{}
	for _, p := range shownParts {
		known[p.page+" "+p.name] = true
	}
	names, _ := fs.Glob(templateFiles, "templates/*.html")
	for _, name := range names {
		text, err := templateFiles.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`part "([^"]+)"`).FindAllSubmatch(text, -1) {
			if part := strings.TrimSuffix(path.Base(name), ".html") + " " + string(m[1]); !known[part] {
				t.Errorf("%s has no view here", part)
			}
		}
	}
}

// TestFormsWaitForTheirScript: a form that is sent before forms.js is there stays as it is, instead of losing its words to an address.
func TestFormsWaitForTheirScript(t *testing.T) {
	names, _ := fs.Glob(templateFiles, "templates/*.html")
	found := 0
	for _, name := range names {
		text, err := templateFiles.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range regexp.MustCompile(`<form [^\n]*?data-api="[^"]*"[^>]*`).FindAll(text, -1) {
			found++
			if !strings.Contains(string(form), ` method="dialog"`) {
				t.Errorf("%s: %.80s", name, form)
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d forms were found", found)
	}
}

// TestKeysTellViewsApart changes every value in the view of each part, one at a time and in random company: where the
// template shows another page then, the key is another one.
func TestKeysTellViewsApart(t *testing.T) {
	now := time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
	kept := newParts(func() time.Time { return now })
	pages := parseTemplates(newAssets(), func() time.Time { return now }).pages
	for _, p := range shownParts {
		t.Run(p.page+" "+p.name, func(t *testing.T) {
			for seed := range uint64(views) {
				place := reflect.New(reflect.TypeOf(p.view)).Elem()
				(&filler{rand.New(rand.NewPCG(seed, 0)), now}).fill(place)
				show := func() (string, [32]byte) {
					view := place.Interface()
					var b strings.Builder
					if err := pages[p.page].ExecuteTemplate(&b, p.name, view); err != nil {
						t.Fatal(err)
					}
					return b.String(), kept.keyOf(p.page, p.name, view)
				}
				html, key := show()
				if again, same := show(); again != html || same != key {
					t.Fatal("the same view looks different")
				}
				seen := false
				eachValue(place, p.name, func(v reflect.Value, where string) {
					old := reflect.New(v.Type()).Elem()
					old.Set(v)
					changeValue(v)
					changed, other := show()
					if seen = seen || changed != html; changed != html && other == key {
						t.Errorf("%s is shown, and no part of the key", where)
					}
					v.Set(old)
				})
				if !seen && place.Kind() == reflect.Struct {
					t.Error("nothing of the view is shown")
				}
			}
		})
	}
}

// views is how many views of each part are tried.
const views = 12

var timeType = reflect.TypeFor[time.Time]()

// open lets hidden fields be set as well.
func open(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// filler gives every value of a view something of its own: lists have up to two elements, and pointers may be nil.
type filler struct {
	*rand.Rand
	now time.Time
}

func (f *filler) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		words := []string{"", "", "", "A", "del", "ACK", "high", "2026-01-10T09:00:00Z", "# Title\n\nH1 and #2", "# Title\n\nAs H1 says."}
		v.SetString(words[f.IntN(len(words))])
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(f.Int64N(4))
	case reflect.Interface:
		if v.NumMethod() == 0 && f.IntN(2) == 0 {
			v.Set(reflect.ValueOf(f.now.Add(-time.Hour)))
		}
	case reflect.Pointer:
		if f.IntN(4) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem())
		}
	case reflect.Slice:
		f.list(v)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		if v.Type() == reflect.TypeFor[map[string]refLink]() {
			v.SetMapIndex(reflect.ValueOf("H1"), reflect.ValueOf(refLink{"H1", "/x", f.IntN(2) == 0}))
		}
	case reflect.Struct:
		if v.Type() == timeType {
			v.Set(reflect.ValueOf(f.now.Add(-time.Duration(f.IntN(50)) * time.Hour)))
			return
		}
		for _, field := range v.Fields() {
			f.fill(open(field))
		}
	default:
	}
}

func (f *filler) list(v reflect.Value) {
	v.Set(reflect.MakeSlice(v.Type(), least(v)+f.IntN(3-least(v)), 2))
	for i := range v.Len() {
		e := v.Index(i)
		if e.Kind() == reflect.Pointer {
			e.Set(reflect.New(e.Type().Elem()))
			e = e.Elem()
		}
		f.fill(e)
	}
}

// least is how many elements a list has at least: what an item was written by and the kinds of a change are never empty.
func least(v reflect.Value) int {
	if v.Type() == reflect.TypeFor[[]string]() || v.Type() == reflect.TypeFor[[]*noteRef]() {
		return 1
	}
	return 0
}

// eachValue visits the values of a view that can be changed on their own.
func eachValue(v reflect.Value, where string, visit func(v reflect.Value, where string)) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == timeType {
			visit(v, where)
			return
		}
		for i := range v.NumField() {
			eachValue(open(v.Field(i)), where+"."+v.Type().Field(i).Name, visit)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			visit(v, where)
			eachValue(v.Elem(), where, visit)
		}
	case reflect.Slice:
		if v.Len() > least(v) {
			visit(v, where)
		}
		for i := range v.Len() {
			eachValue(reflect.Indirect(v.Index(i)), where+"[]", visit)
		}
	case reflect.Map, reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Interface:
		visit(v, where)
	default:
	}
}

// changeValue makes another value of one: of a list a shorter one, of a pointer nil.
func changeValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Slice:
		v.SetLen(v.Len() - 1)
	case reflect.Struct: // a time
		if t := v.Interface().(time.Time); t.Hour()%2 == 0 {
			v.Set(reflect.ValueOf(t.Add(-time.Minute)))
		} else {
			v.SetZero()
		}
	case reflect.Map:
		if refs, ok := reflect.TypeAssert[map[string]refLink](v); ok {
			v.Set(reflect.ValueOf(map[string]refLink{"H1": {"H1", refs["H1"].Href, !refs["H1"].Killed}}))
		}
	default:
		v.SetZero()
	}
}

// line is a view of one text.
type line string

// TestPartsAreBounded: what was not asked for lately is forgotten, and made again.
func TestPartsAreBounded(t *testing.T) {
	now := time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
	p := newParts(func() time.Time { return now })
	page := template.New("")
	show := p.of("page", page)
	template.Must(page.Parse(`{{define "row"}}<p>{{.}}</p>{{end}}`))
	const most = maxPartBytes / aroundPart
	for i := range most + 1000 {
		html, err := show("row", line(fmt.Sprintf("<b>%d", i)))
		if want := template.HTML(fmt.Sprintf("<p>&lt;b&gt;%d</p>", i)); err != nil || html != want {
			t.Fatalf("%q, %v; want %q", html, err, want)
		}
	}
	if n := p.kept.Len(); n > most || n < most-most/20 {
		t.Errorf("%d parts are kept", n)
	}
	for i := range 20 {
		if _, err := show("row", line(strings.Repeat("x", maxPartBytes/10+i))); err != nil {
			t.Fatal(err)
		}
	}
	if n := p.kept.Len(); n > 10 {
		t.Errorf("%d large parts are kept", n)
	}
	if html, err := show("row", line("<b>0")); err != nil || html != "<p>&lt;b&gt;0</p>" {
		t.Errorf("made again: %q, %v", html, err)
	}
}
