package crate

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"html"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A file for electronic lab notebooks is a crate inside a folder of another one, whose metadata name it as an experiment
// (SCIENCE 9): NAME/ro-crate-metadata.json beside NAME/session/.
const (
	sessionDir      = "session/"
	sessionID       = "./" + sessionDir
	notebookVersion = "1.0" // of the format of such files
	publisherID     = "#brenner"
)

// Notebook is what a file for notebooks says beside the crate.
type Notebook struct {
	Folder  string   // the one in which everything is
	Summary []string // what the crate comes to, a paragraph each
}

// Write packs a crate for notebooks. It returns the number of files in the zip.
func (n Notebook) Write(w io.Writer, files []File, about Metadata, signer *Signer) (int, error) {
	inner, err := allParts(files, about, signer)
	if err != nil {
		return 0, err
	}
	parts, err := add(nil, Bytes(n.Folder+"/"+MetadataName, "Metadata", "application/ld+json", n.document(inner, about)))
	if err != nil {
		return 0, err
	}
	for _, part := range inner {
		part.Name = n.Folder + "/" + sessionDir + part.Name
		parts = append(parts, part)
	}
	return len(parts), pack(w, parts)
}

// Document returns what the outer metadata say of the files of the crate.
func (n Notebook) Document(files []File, about Metadata) (string, error) {
	parts, err := measureAll(files)
	return n.document(parts, about), err
}

func (n Notebook) document(parts []measured, about Metadata) string {
	files, ids := notebookFiles(parts)
	people, authors := about.people()
	if len(people) == 0 {
		by := about.publisher()
		people, authors = []entity{by}, []string{by["@id"].(string)}
	}
	root, license := about.root([]string{sessionID}, authors)
	graph := []entity{
		{
			"@id": MetadataName, "@type": "CreativeWork", "about": ref("./"), "conformsTo": ref("https://w3id.org/ro/crate/1.2"),
			"version": notebookVersion, "sdPublisher": ref(publisherID),
		},
		root,
		{
			"@id": sessionID, "@type": "Dataset", "name": about.Name, "author": refs(authors), "genre": "experiment",
			"dateCreated": about.Compile.At.UTC().Format(time.RFC3339), "text": n.text(), "encodingFormat": "text/html",
			"hasPart": refs(ids),
		},
		{"@id": publisherID, "@type": "Organization", "name": "brenner"},
	}
	return encode(once(slices.Concat(graph, files, people, license)))
}

// text writes the summary in the language that notebooks show. What agents wrote is no part of that language.
func (n Notebook) text() string {
	var b strings.Builder
	for _, line := range n.Summary {
		b.WriteString("<p>" + html.EscapeString(line) + "</p>\n")
	}
	return b.String()
}

// notebookFiles describes every file but the inner metadata, under the names that notebooks show.
func notebookFiles(parts []measured) (entities []entity, ids []string) {
	for _, part := range parts {
		if part.Name == MetadataName {
			continue
		}
		id := sessionID + fileID(part.Name)
		ids = append(ids, id)
		entities = append(entities, entity{
			"@id": id, "@type": "File", "name": path.Base(part.Name), "description": part.Title,
			"contentSize": strconv.FormatInt(part.size, 10), "encodingFormat": part.MediaType, "sha256": part.sha256,
		})
	}
	return entities, ids
}

// publisher is who asked for the version: a notebook has no entry without an author.
func (m Metadata) publisher() entity {
	agents, _, _ := m.agents()
	for _, e := range agents {
		if e["name"] == m.Compile.By {
			return entity{"@id": e["@id"], "@type": e["@type"], "name": m.Compile.By}
		}
	}
	return entity{"@id": "#publisher", "@type": "Person", "name": m.Compile.By}
}

// notebookOf finds the folder of a file for notebooks: the first that has metadata, where the file itself has none.
func notebookOf(files []*zip.File) string {
	folder := ""
	for _, file := range files {
		switch dir, name := path.Split(file.Name); {
		case file.Name == MetadataName:
			return ""
		case name == MetadataName && strings.Count(dir, "/") == 1 && folder == "":
			folder = strings.TrimSuffix(dir, "/")
		}
	}
	return folder
}

// inside returns what a file is called in the crate.
func (c *Crate) inside(name string) (string, bool) {
	if c.notebook == "" {
		return name, true
	}
	return strings.CutPrefix(name, c.notebook+"/"+sessionDir)
}

// maxOuter bounds what describes the crate to notebooks: a page of text.
const maxOuter = 1 << 20

func (c *Crate) outerName() string { return c.notebook + "/" + MetadataName }

// Notebook returns the folder of a file for notebooks and what describes the crate in it; ok is false for a mere crate. The
// manifest does not cover that text, so that it is spelled in one way only.
func (c *Crate) Notebook() (folder string, document []byte, ok bool, bad *Problem) {
	if c.notebook == "" {
		return "", nil, false, nil
	}
	content, err := c.outer.Open()
	if err == nil {
		document, err = readAll(c.outer, content, maxOuter)
	}
	if err != nil {
		return c.notebook, nil, true, problem(c.outerName(), "%s", err)
	}
	var parsed entity
	if json.Unmarshal(document, &parsed) != nil || !bytes.Equal(document, []byte(encodeObject(parsed))) {
		return c.notebook, nil, true, problem(c.outerName(), "it is not spelled as such metadata are")
	}
	return c.notebook, document, true, nil
}

// Count is the number of files in the zip.
func (c *Crate) Count() int {
	if c.outer != nil {
		return len(c.files) + 1
	}
	return len(c.files)
}
