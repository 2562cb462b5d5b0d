package repair

import (
	"strings"
	"unicode/utf8"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// Result is a message body with its deltas repaired.
type Result struct {
	Text       string             // the body; the one given if nothing could be repaired
	Repairs    []protocol.Finding // what was done, with places in the body given
	Receipt    delta.Receipt      // of Text, in strict intake
	Unrepaired []protocol.Finding // what still reads like a delta but is none (MB-122)
	Changed    bool

	MoreRepairs int // counted only
}

// maxRounds bounds how often a repaired message is repaired again: freeing text from a fence
// that was never closed may show more to repair.
const maxRounds = 4

// Fix repairs the deltas of a message body (PROTOCOL 5, repairs). What it repairs is accepted
// in strict intake, what it cannot repair stays as it is, and repairing the result again
// changes nothing. Text inside strings is kept, but for ¬ß.
func Fix(body string) Result { return repaired(body, withoutBeliefs) }

// FixOwn is Fix for what is sent in the name of its author: belief blocks stay.
func FixOwn(body string) Result {
	return repaired(body, func(body string) (string, []protocol.Finding) { return body, nil })
}

// repaired repairs a body. left takes out what its sender may not say.
func repaired(body string, left func(body string) (string, []protocol.Finding)) Result {
	text, repairs := body, []protocol.Finding(nil)
	if utf8.ValidString(body) && strings.IndexByte(body, 0) < 0 {
		var notes []protocol.Finding
		text, repairs = unwrap(body)
		mended, did := repairFully(text)
		text, repairs = mended, append(repairs, did...)
		if text, notes = left(text); notes != nil {
			text, _ = repairFully(text)
			repairs = append(repairs, notes...)
		}
	}
	reading := delta.Read(markup.Parse(text), protocol.Strict).AtDoor()
	listed, more := protocol.Listed(repairs)
	return Result{
		Text: text, Repairs: listed, MoreRepairs: more, Receipt: reading.Receipt, Unrepaired: reading.NearMisses, Changed: text != body,
	}
}

// unwrap takes the outer fence of a document away (PROTOCOL 4, MB-125).
func unwrap(body string) (string, []protocol.Finding) {
	w, ok := delta.Wrapped(markup.Parse(body))
	if !ok {
		return body, nil
	}
	f := protocol.NewFinding(protocol.MB125, "Took the outer fence away.").As(protocol.SeverityInfo).At(w.Line, 1).WithFix("")
	return corrected(w.Text), []protocol.Finding{f}
}

// corrected gives a document the title of a repaired one.
func corrected(text string) string {
	doc, eol := markup.Parse(text), newFixer(text).eol
	if title, ok := doc.Title(); ok && strings.TrimSpace(text[:title.Start]) == "" && plainTitles().
		MatchString(strings.TrimSpace(title.Text)) {
		text = text[title.End:]
	}
	return CorrectedTitle + eol + eol + strings.TrimLeft(text, "\r\n")
}

// repairFully repairs until nothing changes any more. A body that keeps changing is left alone.
func repairFully(body string) (string, []protocol.Finding) {
	text := body
	var repairs []protocol.Finding
	for range maxRounds {
		next, did := newFixer(text).fix()
		if next == text {
			return text, repairs
		}
		text, repairs = next, append(repairs, did...)
	}
	return body, nil
}

// fixer repairs one body, once.
type fixer struct {
	body    string
	doc     *markup.Document
	reading delta.Reading
	eol     string
}

func newFixer(body string) *fixer {
	doc := markup.Parse(body)
	f := &fixer{body: body, doc: doc, reading: delta.Read(doc, protocol.Strict).AtDoor(), eol: "\n"}
	if i := strings.IndexByte(body, '\n'); i > 0 && body[i-1] == '\r' {
		f.eol = "\r\n"
	}
	return f
}

// fix returns the repaired body and what was done. It never accepts less than there was.
func (f *fixer) fix() (string, []protocol.Finding) {
	if f.reading.TooMany() {
		return f.body, nil
	}
	regions := f.regions()
	if objects(regions) > artifact.MaxBlocks {
		return f.body, nil
	}
	accepted := f.try(regions)
	regions, repairs := f.choose(regions, accepted)
	if len(regions) == 0 {
		return f.body, nil
	}
	want := f.expected(regions, accepted)
	for _, heading := range []string{deltasHeading, ""} {
		text := f.assemble(regions, heading)
		if text != f.body && delta.Read(markup.Parse(text), protocol.Strict).AtDoor().Receipt.Accepted >= want {
			return text, repairs
		}
	}
	return f.body, nil
}

func objects(regions []region) int {
	n := 0
	for i := range regions {
		objects, _ := regions[i].count()
		n += objects
	}
	return n
}

// try reads all mended objects together, as handles connect them, and tells which would be
// accepted.
func (f *fixer) try(regions []region) []bool {
	var b strings.Builder
	n := 0
	for i := range regions {
		for j := range regions[i].pieces {
			if p := &regions[i].pieces[j]; p.isObject() {
				p.block = n
				b.WriteString(fenced(p.mended, "\n") + "\n\n")
				n++
			}
		}
	}
	accepted := make([]bool, n)
	for i, block := range delta.Read(markup.Parse(b.String()), protocol.Strict).AtDoor().Receipt.Blocks {
		if i < n {
			accepted[i] = block.Status == delta.Accepted
		}
	}
	return accepted
}

// choose keeps the regions that have to be written anew, with their repairs.
func (f *fixer) choose(regions []region, accepted []bool) ([]region, []protocol.Finding) {
	var chosen []region
	var repairs []protocol.Finding
	some := f.reading.Receipt.Accepted > 0 || anyTrue(accepted)
	for _, r := range regions {
		if !f.worthwhile(&r, accepted, some) {
			continue
		}
		chosen = append(chosen, r)
		repairs = append(repairs, r.repairs...)
		for i := range r.pieces {
			if p := &r.pieces[i]; p.isObject() && accepted[p.block] {
				repairs = append(repairs, p.repairs...)
			} else {
				p.mended = p.raw
			}
		}
	}
	protocol.SortByPlace(repairs)
	return chosen, repairs
}

func anyTrue(flags []bool) bool {
	for _, flag := range flags {
		if flag {
			return true
		}
	}
	return false
}

// worthwhile tells whether a region is better written anew. A delta block none of whose
// objects would be accepted stays as it is; so does prose that would make no block; what
// is outside a delta fence gets one, so that its receipt says what is missing.
func (f *fixer) worthwhile(r *region, accepted []bool, some bool) bool {
	if r.caption != "" {
		return some
	}
	better, changed := false, len(r.repairs) > 0
	for i := range r.pieces {
		if p := &r.pieces[i]; p.isObject() {
			better = better || accepted[p.block]
			changed = changed || len(p.repairs) > 0 && accepted[p.block]
		}
	}
	if r.outside() {
		return better || !r.headed
	}
	return better && changed
}

// expected counts the blocks that the repaired body has to have accepted: those left alone
// and those written anew.
func (f *fixer) expected(chosen []region, accepted []bool) int {
	rewritten := map[int]bool{}
	want := 0
	for i := range chosen {
		if r := &chosen[i]; r.fence != nil {
			rewritten[r.fence.Line] = true
		}
		for j := range chosen[i].pieces {
			if p := &chosen[i].pieces[j]; p.isObject() && accepted[p.block] {
				want++
			}
		}
	}
	for i := range f.reading.Receipt.Blocks {
		if b := &f.reading.Receipt.Blocks[i]; b.Status == delta.Accepted && !rewritten[b.Line] {
			want++
		}
	}
	return want
}
