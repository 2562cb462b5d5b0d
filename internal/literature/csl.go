package literature

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// parseCSL reads one CSL-JSON object, or a list of them.
func parseCSL(data []byte) ([]Entry, error) {
	objects, err := elements(data)
	if err != nil {
		return nil, err
	}
	line := lineCounter[[]byte]{text: data}
	entries := make([]Entry, 0, len(objects))
	for i, o := range objects {
		at := line.of(o.start)
		e, err := parseCSLItem(data[o.start:o.end])
		if err != nil {
			return nil, invalid(at, "an entry is not CSL-JSON: %v", err)
		}
		if e.Key == "" {
			e.Key = strconv.Itoa(i + 1)
		}
		e.Line = at
		entries = append(entries, e)
	}
	return entries, nil
}

// cslItem is an item as programs write it: numbers for texts, one for many.
type cslItem struct {
	ID             flexible   `json:"id"`
	Type           flexible   `json:"type"`
	Title          flexible   `json:"title"`
	Author         cslNames   `json:"author"`
	Issued         cslDate    `json:"issued"`
	ContainerTitle flexible   `json:"container-title"`
	Volume         flexible   `json:"volume"`
	Issue          flexible   `json:"issue"`
	Page           flexible   `json:"page"`
	DOI            flexible   `json:"DOI"`
	URL            flexible   `json:"URL"`
	PMID           flexible   `json:"PMID"`
	Note           flexible   `json:"note"`
	File           flexible   `json:"file"`
	Attachments    attachedTo `json:"attachments"`
}

func parseCSLItem(data []byte) (Entry, error) {
	var c cslItem
	if err := json.Unmarshal(data, &c); err != nil {
		return Entry{}, err
	}
	item := Item{
		Type: string(c.Type), Title: string(c.Title), Author: c.Author, Issued: c.Issued.date, ContainerTitle: string(c.ContainerTitle),
		Volume: string(c.Volume), Issue: string(c.Issue), Page: pages(string(c.Page)), DOI: string(c.DOI), URL: string(c.URL),
		PMID: string(c.PMID),
	}
	if m := pmidNote().FindStringSubmatch(string(c.Note)); m != nil && PMID(item.PMID) == "" {
		item.PMID = m[1]
	}
	return Entry{Key: clean(string(c.ID)), Item: item.cleaned(), Files: append(attachments(string(c.File)), c.Attachments...)}, nil
}

// ParseItem reads one CSL-JSON item.
func ParseItem(data []byte) (Item, error) {
	e, err := parseCSLItem(data)
	return e.Item, err
}

// flexible is a text, a number, or a list whose first is one; anything else is empty.
type flexible string

// UnmarshalJSON implements json.Unmarshaler.
func (f *flexible) UnmarshalJSON(data []byte) error {
	*f = ""
	switch c := data[0]; {
	case c == '"':
		var text string
		err := json.Unmarshal(data, &text)
		*f = flexible(text)
		return err
	case c == '-' || c >= '0' && c <= '9':
		*f = flexible(data)
	case c == '[':
		_, err := eachElement(data, func(n int, element []byte) error {
			if n > 0 || element[0] == '[' {
				return nil
			}
			return f.UnmarshalJSON(element)
		})
		return err
	}
	return nil
}

// cslNames are authors: objects, or plain texts.
type cslNames []Name

// UnmarshalJSON implements json.Unmarshaler.
func (names *cslNames) UnmarshalJSON(data []byte) error {
	_, err := eachElement(data, func(n int, element []byte) error {
		if n > maxNames {
			return nil // tooLong refuses the entry
		}
		var name struct {
			Family, Given, Suffix, Literal flexible
			NonDropping                    flexible `json:"non-dropping-particle"`
			Dropping                       flexible `json:"dropping-particle"`
		}
		switch element[0] {
		case '"':
			if err := json.Unmarshal(element, &name.Literal); err != nil {
				return err
			}
		case '{':
			if err := json.Unmarshal(element, &name); err != nil {
				return err
			}
		}
		if name.NonDropping == "" {
			name.NonDropping = name.Dropping
		}
		*names = append(*names, Name{string(name.Family), string(name.Given), string(name.NonDropping), string(name.Suffix),
			string(name.Literal)})
		return nil
	})
	return err
}

// cslDate is a date: its parts, numbers or texts, or words.
type cslDate struct{ date *Date }

// UnmarshalJSON implements json.Unmarshaler.
func (d *cslDate) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		var text string
		err := json.Unmarshal(data, &text)
		d.date = parseDate(text)
		return err
	}
	if data[0] != '{' {
		return nil
	}
	var raw struct {
		Parts   json.RawMessage `json:"date-parts"`
		Literal flexible        `json:"literal"`
		Raw     flexible        `json:"raw"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	var parts [][]int
	if _, err := eachElement(raw.Parts, func(n int, element []byte) error {
		if n < 2 {
			parts = append(parts, dateNumbers(element))
		}
		return nil
	}); err != nil {
		return err
	}
	if d.date = newDate(parts...); !d.date.empty() {
		return nil
	}
	d.date = parseDate(string(raw.Raw))
	if d.date == nil {
		d.date = parseDate(string(raw.Literal))
	}
	return nil
}

func dateNumbers(data []byte) []int {
	var texts []string
	_, _ = eachElement(data, func(n int, element []byte) error {
		if n < 3 {
			texts = append(texts, strings.Trim(string(element[:min(len(element), 20)]), `" `))
		}
		return nil
	})
	return numbers(texts)
}

// attachedTo are files that some exports list: objects with a path, or paths.
type attachedTo []string

// UnmarshalJSON implements json.Unmarshaler.
func (a *attachedTo) UnmarshalJSON(data []byte) error {
	_, err := eachElement(data, func(n int, element []byte) error {
		if n >= maxFields {
			return nil
		}
		var path flexible
		var object struct {
			Path      flexible `json:"path"`
			LocalPath flexible `json:"localPath"`
		}
		switch element[0] {
		case '"':
			if err := json.Unmarshal(element, &path); err != nil {
				return err
			}
		case '{':
			if err := json.Unmarshal(element, &object); err != nil {
				return err
			}
			if path = object.Path; path == "" {
				path = object.LocalPath
			}
		}
		if path != "" {
			*a = append(*a, localFiles([]string{string(path)})...)
		}
		return nil
	})
	return err
}

// eachElement visits the elements of a list one after the other, without holding them; false: it is no list.
func eachElement(data []byte, visit func(n int, element []byte) error) (bool, error) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '[' {
		return false, nil
	}
	n := 0
	_, err := splitList(data, func(start, end int) error {
		err := visit(n, data[start:end])
		n++
		return err
	})
	return true, err
}
