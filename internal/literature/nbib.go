package literature

import "strings"

// parseNBIB reads what PubMed exports.
func parseNBIB(text string) ([]Entry, error) {
	form := taggedForm{widest: 4, begin: "PMID"}
	return form.read(text, func(t *tagged, _ int) Entry { return t.nbib() })
}

// nbib reads the values of an entry.
func (t *tagged) nbib() Entry {
	item := Item{
		Type: "article-journal", Title: strings.TrimSuffix(t.first("TI", "BTI"), "."), ContainerTitle: t.first("JT", "TA"),
		Volume: t.first("VI"),
		Issue:  t.first("IP"), Page: t.first("PG"), PMID: t.first("PMID"), Issued: parseDate(t.first("DP")),
	}
	for _, id := range t.all("LID", "AID") {
		if doi, ok := strings.CutSuffix(id, "[doi]"); ok && item.DOI == "" {
			item.DOI = strings.TrimSpace(doi)
		}
	}
	names := t.all("FAU")
	if len(names) == 0 {
		names = t.all("AU")
	}
	for _, name := range names {
		item.Author = append(item.Author, commaName(name))
	}
	for _, name := range t.all("CN") {
		item.Author = append(item.Author, Name{Literal: name})
	}
	if strings.Contains(strings.Join(t.all("PT"), ";"), "Book") {
		item.Type = "book"
	}
	return Entry{Key: clean(t.first("PMID")), Item: item.cleaned(), Line: t.line}
}
