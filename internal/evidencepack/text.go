package evidencepack

import (
	"context"

	"brenner/internal/evidence"
	"brenner/internal/hypertext"
	"brenner/internal/protocol"
)

// extracted is the text of a source.
type extracted struct {
	data   []byte // nil: there is none
	apart  bool   // it has a file of its own
	by     evidence.TextBy
	agrees *float64
}

// extract returns the text of a source: the one that was given, else its own.
func (a *Addition) extract(ctx context.Context) (extracted, error) {
	if a.Text == nil {
		return ownText(ctx, a.Name, a.Data)
	}
	if err := checkSize("the text", a.Text); err != nil {
		return extracted{}, err
	}
	if !readable(a.Text) {
		return extracted{}, protocol.Errorf(protocol.InvalidInput, "the text is blank or not UTF-8")
	}
	text := extracted{data: a.Text, apart: true, by: evidence.TextSupplied}
	own, err := ownText(ctx, a.Name, a.Data)
	if ctx.Err() != nil {
		return extracted{}, ctx.Err()
	}
	if err == nil && own.data != nil { // else nothing can be read: it is not measured
		agrees := evidence.Agreement(string(a.Text), string(own.data))
		text.agrees = &agrees
	}
	return text, nil
}

// ownText takes the text out of a file. PROGRAM_MISSING: it is a PDF, and nothing here can read it.
func ownText(ctx context.Context, name string, data []byte) (extracted, error) {
	var text string
	switch ext := extension(name); {
	case ext == "pdf":
		var err error
		if text, err = pdfText(ctx, data); err != nil {
			return extracted{}, err
		}
	case ext == "html" && readable(data):
		text = hypertext.HTML(data)
	case xmlExtension(ext):
		text = hypertext.XML(data)
	case textual(ext) && readable(data):
		return extracted{data: data, by: evidence.TextExtracted}, nil
	}
	if !readable([]byte(text)) {
		return extracted{}, nil
	}
	return extracted{data: []byte(text), apart: true, by: evidence.TextExtracted}, nil
}

// describe writes into an entry where its text is.
func (t extracted) describe(s *evidence.Source) {
	if t.data == nil {
		return
	}
	s.Text, s.TextSHA256, s.TextBy, s.TextAgrees = s.File, s.SHA256, t.by, t.agrees
	if !t.apart {
		return
	}
	if s.Text, s.TextSHA256 = s.ID+".txt", hexHash(t.data); s.Text == s.File {
		s.Text = s.ID + ".text"
	}
}
