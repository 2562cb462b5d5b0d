package literature

import "strings"

// tagged is an entry of a format with a tag on each line: RIS, nbib.
type tagged struct {
	values []taggedValue
	line   int
}

type taggedValue struct {
	tag   string
	value []byte
}

// all returns the values of tags, in the order of the file.
func (t *tagged) all(tags ...string) []string {
	var found []string
	for _, v := range t.values {
		for _, tag := range tags {
			if v.tag == tag && len(v.value) > 0 {
				found = append(found, string(v.value))
			}
		}
	}
	return found
}

// first returns the first value of the first of the tags that has one.
func (t *tagged) first(tags ...string) string {
	for _, tag := range tags {
		if all := t.all(tag); len(all) > 0 {
			return all[0]
		}
	}
	return ""
}

// add adds a value. One that goes on longer than any real one is cut: it is no part of an item.
func (t *tagged) add(tag, value string) {
	if len(t.values) < maxNames {
		t.values = append(t.values, taggedValue{tag, []byte(value[:min(len(value), maxField)])})
	}
}

// goOn continues the last value on a new line.
func (t *tagged) goOn(text string) {
	if n := len(t.values); n > 0 && len(t.values[n-1].value)+len(text) < maxText {
		t.values[n-1].value = append(append(t.values[n-1].value, ' '), text...)
	}
}

// commaName reads Last, First, Suffix.
func commaName(text string) Name {
	parts := strings.SplitN(text, ",", 3)
	if len(parts) == 1 {
		return Name{Literal: text}
	}
	n := Name{Family: strings.TrimSpace(parts[0]), Given: strings.TrimSpace(parts[1])}
	if len(parts) == 3 {
		n.Suffix = strings.TrimSpace(parts[2])
	}
	return n
}

// taggedForm is how the entries of a format are told apart.
type taggedForm struct {
	widest     int    // letters of a tag
	begin, end string // the tags that begin and end an entry; no end: the next one does
}

// read makes an entry of each, with its number from 1.
func (f taggedForm) read(text string, entry func(t *tagged, number int) Entry) ([]Entry, error) {
	var entries []Entry
	var open *tagged
	flush := func() {
		if open != nil {
			entries = append(entries, entry(open, len(entries)+1))
		}
		open = nil
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, " \t\r\n")
		tag, value, ok := cutTag(line, f.widest)
		switch {
		case ok && tag == f.begin:
			flush()
			if len(entries) == MaxEntries {
				return nil, invalid(number, "the file has more than %d entries", MaxEntries)
			}
			open = &tagged{line: number}
			open.add(tag, value)
		case open == nil:
		case ok && tag == f.end:
			flush()
		case ok:
			open.add(tag, value)
		case line != "":
			open.goOn(strings.TrimSpace(line))
		}
	}
	flush()
	return entries, nil
}

// maxTagSpaces is how many spaces may stand between a tag and its hyphen.
const maxTagSpaces = 2

// cutTag takes a line apart: a tag of capitals and digits, up to two spaces, a hyphen, and the value behind a space.
func cutTag(line string, widest int) (tag, value string, ok bool) {
	n := 0
	for n < len(line) && n < widest && (line[n] >= 'A' && line[n] <= 'Z' || n > 0 && line[n] >= '0' && line[n] <= '9') {
		n++
	}
	at := n
	for at < len(line) && at-n < maxTagSpaces && line[at] == ' ' {
		at++
	}
	if n < 2 || at >= len(line) || line[at] != '-' {
		return "", "", false
	}
	if value = line[at+1:]; value != "" && value[0] != ' ' {
		return "", "", false
	}
	return line[:n], strings.TrimSpace(value), true
}
