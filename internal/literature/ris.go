package literature

import (
	"strconv"
	"strings"

	"brenner/internal/pattern"
)

func parseRIS(text string) ([]Entry, error) {
	form := taggedForm{widest: 2, begin: "TY", end: "ER"}
	return form.read(text, (*tagged).ris)
}

// ris reads the values of an entry.
func (t *tagged) ris(place int) Entry {
	item := Item{
		Type: fromRIS(t.first("TY")), Title: t.first("TI", "T1", "CT"), ContainerTitle: t.first("T2", "JF", "JO", "BT", "JA", "J2"),
		Volume: t.first("VL"), Issue: t.first("IS"), Page: t.first("SP"), DOI: t.first("DO"), URL: t.first("UR"),
	}
	if item.Title == "" && item.Type == "book" {
		item.Title = t.first("BT")
	}
	if end := t.first("EP"); end != "" && item.Page != "" && end != item.Page {
		item.Page += "-" + end
	}
	if item.DOI == "" {
		item.DOI = t.first("M3", "L3") // where older files have it; anything else there is no DOI
	}
	for _, name := range t.all("AU", "A1") {
		item.Author = append(item.Author, commaName(name))
	}
	item.Issued = t.risDate()
	if db := strings.ToLower(t.first("DB")); strings.Contains(db, "pubmed") || strings.Contains(db, "medline") {
		item.PMID = PMID(t.first("AN"))
	}
	if m := pmidNote().FindStringSubmatch(strings.Join(t.all("N1", "C2", "AN"), "\n")); m != nil && item.PMID == "" {
		item.PMID = m[1]
	}
	key := clean(t.first("ID"))
	if key == "" {
		key = strconv.Itoa(place)
	}
	return Entry{Key: key, Item: item.cleaned(), Files: localFiles(t.all("L1", "L2")), Line: t.line}
}

// risDate reads 2010/06/03/ of DA, else the year.
func (t *tagged) risDate() *Date {
	full := t.first("DA")
	year := t.first("PY", "Y1")
	if d := risDay(full); d != nil && len(d.Parts) > 0 && (year == "" || strings.HasPrefix(full, year[:min(4, len(year))])) {
		return d
	}
	if d := risDay(year); d != nil {
		return d
	}
	return risDay(full)
}

// risDay reads year/month/day/words.
func risDay(text string) *Date {
	parts := strings.Split(text, "/")
	if n := numbers(parts[:min(len(parts), 3)]); len(n) > 0 && len(parts) > 1 {
		return newDate(n)
	}
	return parseDate(text)
}

var addressForm = pattern.Lazy(`^(?i)(?:https?|ftps?|doi|mailto):`)

// localFiles leaves out addresses of the web.
func localFiles(values []string) []string {
	var files []string
	for _, v := range values {
		if v = clean(v); !addressForm().MatchString(v) && len(files) < maxFields {
			files = append(files, v)
		}
	}
	return files
}
