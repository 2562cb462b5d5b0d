package config

import (
	"encoding/json"
	"fmt"
	"strings"

	"brenner/internal/pattern"
)

func (d *decoder) license(path string, data json.RawMessage) {
	d.config.Crate.License = strings.TrimSpace(d.text(path, data))
}

// authors reads a list of names, or of objects with name and orcid.
func (d *decoder) authors(path string, data json.RawMessage) {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		d.wrong(path, "a list of authors")
		return
	}
	d.config.Crate.Authors = nil
	for i, entry := range list {
		if a, ok := d.author(fmt.Sprintf("%s[%d]", path, i), entry); ok {
			d.config.Crate.Authors = append(d.config.Crate.Authors, a)
		}
	}
}

// orcid is the number that names a researcher, with its check digit.
var orcid = pattern.Lazy(`^(?:https://orcid\.org/)?((?:[0-9]{4}-){3}[0-9]{3}[0-9X])$`)

func (d *decoder) author(path string, data json.RawMessage) (Author, bool) {
	var a Author
	if json.Unmarshal(data, &a.Name) != nil {
		d.object(path, data, map[string]func(string, json.RawMessage){
			"name":  func(at string, data json.RawMessage) { a.Name = d.text(at, data) },
			"orcid": func(at string, data json.RawMessage) { a.ORCID = d.text(at, data) },
		})
	}
	if a.Name = strings.TrimSpace(a.Name); a.Name == "" {
		d.wrong(path, `a name, or {name: "Ada Lovelace", orcid: "0000-0002-1825-0097"}`)
		return a, false
	}
	if a.ORCID != "" {
		m := orcid().FindStringSubmatch(strings.TrimSpace(a.ORCID))
		if m == nil {
			d.wrong(join(path, "orcid"), "an ORCID iD such as 0000-0002-1825-0097")
			return a, false
		}
		a.ORCID = m[1]
	}
	return a, true
}
