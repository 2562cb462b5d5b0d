package evidencepack

import (
	"path"
	"strings"
	"unicode/utf8"

	"brenner/internal/pattern"
)

var extensionForm = pattern.Lazy(`^[a-z0-9]{1,8}$`)

// extension returns the last extension of a name in lower case, bin if it has none of the usual form.
func extension(name string) string {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	if !extensionForm().MatchString(ext) {
		return "bin"
	}
	return ext
}

// textual tells whether files of an extension are text as they are, or can be turned into it in process.
func textual(ext string) bool {
	switch ext {
	case "txt", "md", "csv", "tsv", "json", "yaml", "tex", "html":
		return true
	}
	return xmlExtension(ext)
}

// xmlExtension tells whether files of an extension are XML, such as articles in JATS.
func xmlExtension(ext string) bool { return ext == "xml" || ext == "nxml" }

// readable tells whether bytes are a text.
func readable(data []byte) bool {
	return utf8.Valid(data) && strings.TrimSpace(string(data)) != "" && !strings.ContainsRune(string(data), 0)
}
