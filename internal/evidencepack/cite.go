package evidencepack

import (
	"encoding/json"
	"strconv"

	"brenner/internal/literature"
	"brenner/internal/yamltext"
)

// parseCite reads the CSL-JSON item of an entry; nil: it has none.
func parseCite(id string, n *yamltext.Node) (*literature.Item, error) {
	switch {
	case n == nil || n.Null():
		return nil, nil
	case n.Kind != yamltext.Mapping:
		return nil, invalidIndex(n.Line, "the cite of "+id+" is not a mapping")
	}
	budget := maxCiteNodes
	data, err := json.Marshal(jsonValue(n, &budget))
	if err == nil && budget < 0 {
		return nil, invalidIndex(n.Line, "the cite of "+id+" is too large")
	}
	var item literature.Item
	if err == nil {
		item, err = literature.ParseItem(data)
	}
	if err != nil {
		return nil, invalidIndex(n.Line, "the cite of "+id+" is no CSL-JSON item: "+err.Error())
	}
	return &item, nil
}

// maxCiteNodes is how many parts an item may have. An alias may stand for a part that holds itself.
const maxCiteNodes = 100_000

// jsonValue turns a part of the index into what json writes, all scalars as texts.
func jsonValue(n *yamltext.Node, budget *int) any {
	if *budget--; *budget < 0 {
		return nil
	}
	switch n.Kind {
	case yamltext.Sequence:
		list := []any{}
		for i := 0; i < len(n.Items) && *budget >= 0; i++ {
			list = append(list, jsonValue(n.Items[i], budget))
		}
		return list
	case yamltext.Mapping:
		members := map[string]any{}
		for i := 0; i < len(n.Members) && *budget >= 0; i++ {
			members[n.Members[i].Key] = jsonValue(n.Members[i].Value, budget)
		}
		return members
	case yamltext.Scalar:
	}
	if n.Null() {
		return nil
	}
	return n.Text
}

// citeNode writes the item of an entry.
func citeNode(item *literature.Item) *yamltext.Node {
	if item == nil {
		return plainNode("null")
	}
	n := &yamltext.Node{Kind: yamltext.Mapping}
	text := func(to *yamltext.Node, key, value string) {
		if value != "" {
			to.Members = append(to.Members, yamltext.Member{Key: key, Value: &yamltext.Node{Text: value}})
		}
	}
	text(n, "type", item.Type)
	text(n, "title", item.Title)
	if len(item.Author) > 0 {
		authors := &yamltext.Node{Kind: yamltext.Sequence}
		for _, a := range item.Author {
			name := &yamltext.Node{Kind: yamltext.Mapping}
			text(name, "family", a.Family)
			text(name, "given", a.Given)
			text(name, "non-dropping-particle", a.Particle)
			text(name, "suffix", a.Suffix)
			text(name, "literal", a.Literal)
			authors.Items = append(authors.Items, name)
		}
		n.Members = append(n.Members, yamltext.Member{Key: "author", Value: authors})
	}
	if item.Issued != nil {
		n.Members = append(n.Members, yamltext.Member{Key: "issued", Value: dateNode(item.Issued)})
	}
	text(n, "container-title", item.ContainerTitle)
	text(n, "volume", item.Volume)
	text(n, "issue", item.Issue)
	text(n, "page", item.Page)
	text(n, "DOI", item.DOI)
	text(n, "URL", item.URL)
	text(n, "PMID", item.PMID)
	return n
}

func dateNode(d *literature.Date) *yamltext.Node {
	n := &yamltext.Node{Kind: yamltext.Mapping}
	if len(d.Parts) == 0 {
		n.Members = []yamltext.Member{{Key: "literal", Value: &yamltext.Node{Text: d.Literal}}}
		return n
	}
	dates := &yamltext.Node{Kind: yamltext.Sequence}
	for _, parts := range d.Parts {
		day := &yamltext.Node{Kind: yamltext.Sequence}
		for _, p := range parts {
			day.Items = append(day.Items, plainNode(strconv.Itoa(p)))
		}
		dates.Items = append(dates.Items, day)
	}
	n.Members = []yamltext.Member{{Key: "date-parts", Value: dates}}
	return n
}
