package markdown

import (
	"encoding/json"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/pattern"
)

// appendReferences writes links to other sessions as `- refines RS-…#H2`. What does not fit
// is written as JSON.
func appendReferences(b []byte, refs artifact.References) []byte {
	b = append(b, '\n')
	for i, r := range refs {
		if i == 0 {
			b = append(b, '\n')
		}
		line := r.Relation + " " + r.Session + "#" + r.Item
		if read, faults := readLinkText(line); len(faults) > 0 || read != r {
			list := string(artifact.AppendValue(nil, artifact.References{r}))
			line = codeJSON(list[1 : len(list)-1])
		}
		b = append(append(append(b, "- "...), line...), '\n')
	}
	return b
}

// readLink reads a reference as we or people write it, or says what is wrong with it.
func readLink(raw string) (artifact.Reference, []Fault) {
	if object := uncode(raw); strings.HasPrefix(object, "{") {
		return readLinkJSON(object)
	}
	return readLinkText(raw)
}

var linkWord = pattern.Lazy(`[A-Za-z0-9][A-Za-z0-9_.#-]*`)

// readLinkText finds the words of a reference: a relation, and session#item, or both apart.
// Further words are allowed only where they name a part (session: …).
func readLinkText(raw string) (r artifact.Reference, faults []Fault) {
	raw = strings.ReplaceAll(raw, "informed by", "informed_by")
	for _, word := range linkWord().FindAllString(raw, -1) {
		lower := strings.ToLower(word)
		session, item, both := strings.Cut(word, "#")
		_, _, _, isItem := artifact.ParseItemID(word)
		switch {
		case r.Relation == "" && slices.Contains(artifact.Relations, lower):
			r.Relation = lower
		case r.Session == "" && r.Item == "" && both:
			r.Session, r.Item = session, item
		case r.Item == "" && isItem:
			r.Item = word
		case lower == "session" || lower == "item" || lower == "relation":
		case r.Session == "" && strings.Contains(word, "-"):
			r.Session = word
		default:
			return r, []Fault{NotAnObject}
		}
	}
	return r, missing(r.Session != "", r.Item != "", r.Relation != "")
}

func readLinkJSON(object string) (r artifact.Reference, faults []Fault) {
	members, err := readObject(object)
	if err != nil {
		return r, []Fault{NotAnObject}
	}
	given := map[string]bool{}
	var extra []string
	for _, m := range members {
		var text string
		isText := json.Unmarshal([]byte(m.value), &text) == nil && m.value[0] == '"'
		switch {
		case m.name == "session" && isText:
			r.Session = text
		case m.name == "item" && isText:
			r.Item = text
		case m.name == "relation" && isText:
			r.Relation = text
		default:
			extra = append(extra, m.rawName+":"+m.value)
			continue
		}
		given[m.name] = true
	}
	if len(extra) > 0 {
		r.Extra = artifact.JSON("{" + strings.Join(extra, ",") + "}")
	}
	return r, missing(given["session"], given["item"], given["relation"])
}

func missing(session, item, relation bool) []Fault {
	var faults []Fault
	for _, part := range []struct {
		given bool
		fault Fault
	}{{session, NoSession}, {item, NoItem}, {relation, NoRelation}} {
		if !part.given {
			faults = append(faults, part.fault)
		}
	}
	return faults
}
