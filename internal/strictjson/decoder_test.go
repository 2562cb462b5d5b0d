package strictjson_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"brenner/internal/strictjson"
)

// token is what a decoder says of a token.
type token struct {
	kind strictjson.Kind
	raw  string
	end  int
}

func read(text string) ([]token, error) {
	d := strictjson.NewDecoder()
	d.Reset(text)
	var list []token
	for depth := 0; ; {
		k, raw, err := d.Next()
		if err != nil {
			return list, err
		}
		list = append(list, token{k, raw, d.Offset()})
		switch k {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth == 0 {
			_, _, err = d.Next()
			return list, err
		}
	}
}

// reference is read by the library alone.
func reference(text string) ([]token, error) {
	d := jsontext.NewDecoder(strings.NewReader(text))
	var list []token
	for depth := 0; ; {
		var raw jsontext.Value
		var err error
		k := d.PeekKind()
		if k == '"' || k == '0' {
			raw, err = d.ReadValue()
		} else {
			_, err = d.ReadToken()
		}
		if err != nil {
			return list, err
		}
		list = append(list, token{strictjson.Kind(k), string(raw), int(d.InputOffset())})
		switch k {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth == 0 {
			_, err = d.ReadToken()
			return list, err
		}
	}
}

func compare(t *testing.T, text string) {
	t.Helper()
	got, err := read(text)
	want, wantErr := reference(text)
	if len(got) != len(want) || (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() ||
		errors.Is(err, io.EOF) != errors.Is(wantErr, io.EOF) {
		t.Fatalf("%.200q: %d tokens, %v; the library reads %d, %v", text, len(got), err, len(want), wantErr)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%.200q: token %d is %+v, want %+v", text, i, got[i], want[i])
		}
	}
}

var decoderTexts = []string{
	``, ` `, `{}`, `[]`, `{"a":1,"b":[true,false,null,-0.5e+3,"x"]}`, ` { "a" : [ ] , "b" : { } } `, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`,
	`{"a":{"a":1},"b":[{"a":1},{"a":2}]}`, `[1,]`, `{"a":1,}`, `{,}`, `{"a"}`, `{"a":}`, `{"a" 1}`, `[1 2]`, `{1:2}`, `[}`, `{]`, `01`, `-`,
	`1.`, `1e`, `.5`, `+1`,
	`tru`, `nul`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ude00\ud83d"`, `"\ud83d\u0041"`, "\"\xff\"", "\"é\u2028\"", "\"\x01\"", `"\x"`, `"\u12"`,
	`"a`, `1 2`, `{}{}`, `{} x`, `1x`,
	"\ufeff{}", `"\/\b\f\n\r\t\"\\"`, `[[[[]]]]`, `nullnull`, `{"a":1 "b":2}`, "[\u00a01]",
}

func TestDecoderReadsWhatTheLibraryReads(t *testing.T) {
	texts := decoderTexts
	for _, n := range []int{9_999, 10_000, 10_001} {
		texts = append(texts, strings.Repeat("[", n)+strings.Repeat("]", n), strings.Repeat(`{"":`, n)+"1"+strings.Repeat("}", n))
	}
	many := "{"
	for i := range 40 {
		many += `"` + strings.Repeat("k", i) + `":1,`
	}
	texts = append(texts, many+`"x":2}`, many+`"kkk":2}`, many+`"\u006bkk":2}`, `{"a":`+many+`"x":2},"kk":`+many+`"y":2}}`)
	for _, text := range texts {
		compare(t, text)
	}
}

func FuzzDecoder(f *testing.F) {
	for _, text := range decoderTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { compare(t, text) })
}
