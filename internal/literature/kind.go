package literature

import "strings"

// anyKind is the type of what has none of its own.
const anyKind = "document"

// kinds says what a type is called in each format. Reading takes the first row that has the word, writing the first row of the
// type.
var kinds = []struct{ csl, bibtex, ris string }{
	{"article-journal", "article", "JOUR"},
	{"paper-conference", "inproceedings", "CPAPER"},
	{"paper-conference", "conference", "CONF"},
	{"book", "book", "BOOK"},
	{"book", "booklet", "EBOOK"},
	{"book", "proceedings", "EDBOOK"},
	{"chapter", "incollection", "CHAP"},
	{"chapter", "inbook", "ECHAP"},
	{"thesis", "phdthesis", "THES"},
	{"thesis", "mastersthesis", ""},
	{"thesis", "thesis", ""},
	{"report", "techreport", "RPRT"},
	{"report", "report", "GOVDOC"},
	{"webpage", "online", "ELEC"},
	{"webpage", "electronic", "WEB"},
	{"webpage", "www", ""},
	{"manuscript", "unpublished", "UNPB"},
	{"manuscript", "", "MANSCPT"},
	{"dataset", "dataset", "DATA"},
	{"dataset", "data", "DBASE"},
	{"software", "software", "COMP"},
	{"patent", "patent", "PAT"},
	{"article-magazine", "", "MGZN"},
	{"article-newspaper", "", "NEWS"},
	{"article-journal", "", "EJOUR"},
	{"article-journal", "", "JFULL"},
	{anyKind, "misc", "GEN"},
}

func fromBibTeX(word string) string {
	for _, k := range kinds {
		if word != "" && strings.EqualFold(k.bibtex, word) {
			return k.csl
		}
	}
	return anyKind
}

func fromRIS(word string) string {
	for _, k := range kinds {
		if word != "" && strings.EqualFold(k.ris, word) {
			return k.csl
		}
	}
	return anyKind
}

func toBibTeX(csl string) string {
	for _, k := range kinds {
		if k.csl == csl && k.bibtex != "" {
			return k.bibtex
		}
	}
	if strings.HasPrefix(csl, "article-") {
		return "article"
	}
	return "misc"
}

func toRIS(csl string) string {
	for _, k := range kinds {
		if k.csl == csl && k.ris != "" {
			return k.ris
		}
	}
	return "GEN"
}
