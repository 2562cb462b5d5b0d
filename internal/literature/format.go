package literature

import (
	"bytes"

	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// Format is how entries are written.
type Format string

// The formats. nbib is only read.
const (
	BibTeX Format = "bibtex"
	RIS    Format = "ris"
	CSL    Format = "csl"
	NBIB   Format = "nbib"
)

// Parse reads a file of entries in the order of the file; the content tells its format. INVALID_INPUT: it cannot be read, is empty,
// larger than MaxFile, or nested deeper than 100.
func Parse(data []byte) ([]Entry, error) {
	data, err := Decode(data)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	switch detect(data) {
	case CSL:
		entries, err = parseCSL(data)
	case RIS:
		entries, err = parseRIS(string(data))
	case NBIB:
		entries, err = parseNBIB(string(data))
	case BibTeX:
		entries, err = parseBibTeX(string(data))
	default:
		err = protocol.Errorf(protocol.InvalidInput, "this is neither BibTeX, RIS, CSL-JSON nor nbib")
	}
	if err != nil {
		return nil, err
	}
	for i := range entries {
		if name := entries[i].Item.tooLong(); name != "" {
			return nil, invalid(entries[i].Line, "the %s of the entry %q is too long", name, protocol.Shorten(entries[i].Key, 80))
		}
	}
	return entries, nil
}

var (
	risStart  = pattern.Lazy(`^TY {1,2}-`)
	nbibStart = pattern.Lazy(`^PMID ?- `)
	bibStart  = pattern.Lazy(`@[A-Za-z]+\s*(?:[{(]|$)`)
)

// detect tells the format by the first line that could only be of one.
func detect(data []byte) Format {
	if start := bytes.TrimLeft(data, jsonSpace); len(start) > 0 && (start[0] == '{' || start[0] == '[') {
		return CSL
	}
	for line := range bytes.Lines(data) {
		head := bytes.TrimRight(line[:min(len(line), 4096)], "\r\n")
		switch {
		case risStart().Match(head):
			return RIS
		case nbibStart().Match(head):
			return NBIB
		case bibStart().Match(head):
			return BibTeX
		}
	}
	return ""
}

// ParseOne reads a file with exactly one entry.
func ParseOne(data []byte) (Entry, error) {
	entries, err := Parse(data)
	if err == nil && len(entries) != 1 {
		err = protocol.Errorf(protocol.InvalidInput, "the file has %s; give one, or import them all",
			protocol.Plural(len(entries), "entry")).Doing(protocol.Operation("evidence.import").Giving("file"))
	}
	if err != nil {
		return Entry{}, err
	}
	return entries[0], nil
}
