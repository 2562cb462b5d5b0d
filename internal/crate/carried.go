package crate

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"brenner/internal/strictjson"
)

// Carried is what the metadata of a crate says that no other file does, the settings of the project that made
// it, and what it is cited by.
type Carried struct {
	Edition    string // of the rules that it follows; empty: it names none
	Identifier string
	Name       string
	Version    string
	Published  string // the day, YYYY-MM-DD
	License    string
	Authors    []Person
	Agents     map[string]Agent // by name: family, or human
}

// node is an entity of a document that another program may have written.
type node struct {
	ID       string          `json:"@id"`
	Type     json.RawMessage `json:"@type"`
	Name     string          `json:"name"`
	Provider *reference      `json:"provider"`
	About    *reference      `json:"about"`

	Edition    string          `json:"schemaVersion"`
	Identifier string          `json:"identifier"`
	Version    string          `json:"version"`
	Published  string          `json:"datePublished"`
	License    json.RawMessage `json:"license"`
	Author     []reference     `json:"author"`
	HasPart    []reference     `json:"hasPart"`

	ContentSize string `json:"contentSize"`
	SHA256      string `json:"sha256"`
}

type reference struct {
	ID string `json:"@id"`
}

// graph is a metadata document by ids.
type graph map[string]node

func parseGraph(text []byte) (graph, *Problem) {
	var document struct {
		Graph json.RawMessage `json:"@graph"`
	}
	if !strictjson.Bounded(text) {
		return nil, problem(MetadataName, "it has more values than that of any crate")
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, problem(MetadataName, "it cannot be read: %s", err)
	}
	g := graph{}
	if bad := g.read(document.Graph); bad != nil {
		return nil, bad
	}
	if _, ok := g["./"]; !ok {
		return nil, problem(MetadataName, "it does not describe the crate itself")
	}
	return g, nil
}

// read takes the entities up one by one: a list of millions of empty ones would cost a hundred times its text.
func (g graph) read(list []byte) *Problem {
	d := json.NewDecoder(bytes.NewReader(list))
	if begin, err := d.Token(); err != nil || begin != json.Delim('[') {
		return problem(MetadataName, "it cannot be read: its graph is no list")
	}
	for d.More() {
		var n node
		if err := d.Decode(&n); err != nil {
			return problem(MetadataName, "it cannot be read: %s", err)
		}
		if len(g) == maxEntities {
			return problem(MetadataName, "it describes more than %d things", maxEntities)
		}
		if _, twice := g[n.ID]; twice {
			return problem(MetadataName, "it describes %s twice", n.ID)
		}
		g[n.ID] = n
	}
	return nil
}

// maxMetadata bounds the document, which is held in memory, and maxEntities what it describes.
const (
	maxMetadata = 16 << 20
	maxEntities = 100_000
)

// Carried reads the settings that a crate carries.
func (c *Crate) Carried() (Carried, *Problem) {
	g, bad := c.graph()
	if bad != nil {
		return Carried{}, bad
	}
	root := g["./"]
	carried := Carried{
		Edition: root.Edition, Identifier: root.Identifier, Name: root.Name, Version: root.Version, Published: root.Published,
		Agents: map[string]Agent{},
	}
	var license reference
	if json.Unmarshal(root.License, &carried.License) != nil && json.Unmarshal(root.License, &license) == nil {
		carried.License = license.ID
	}
	if carried.License == noLicense {
		carried.License = ""
	}
	for _, r := range root.Author {
		p := Person{Name: g[r.ID].Name}
		if orcid, ok := strings.CutPrefix(r.ID, orcidAddress); ok {
			p.ORCID = orcid
		}
		carried.Authors = append(carried.Authors, p)
	}
	for _, n := range g {
		if !strings.HasPrefix(n.ID, agentPrefix) {
			continue
		}
		took := Agent{Name: n.Name, Human: string(n.Type) == `"Person"`}
		if n.Provider != nil {
			took.Family = g[n.Provider.ID].Name
		}
		carried.Agents[n.Name] = took
	}
	return carried, nil
}

func (c *Crate) graph() (graph, *Problem) {
	text, err := c.Read(MetadataName, maxMetadata)
	if err != nil {
		return nil, problem(MetadataName, "%s", err)
	}
	return parseGraph(text)
}

// CheckMetadata compares what the metadata says of each file with the file: every file but metadata, preview, manifest
// and signature is a part, with its size and hash. The manifest was checked before.
func (c *Crate) CheckMetadata() *Problem {
	g, bad := c.graph()
	if bad != nil {
		return bad
	}
	manifest, err := c.Read(ManifestName, maxManifest)
	if err != nil {
		return problem(ManifestName, "%s", err)
	}
	sums, bad := parseManifest(string(manifest))
	if bad != nil {
		return bad
	}
	parts := map[string]bool{}
	for _, r := range g["./"].HasPart {
		name, err := url.PathUnescape(r.ID)
		if err != nil || !c.Has(name) || isFrame(name) {
			return problem(MetadataName, "it names the part %s, which is not in the crate", r.ID)
		}
		parts[name] = true
		n := g[r.ID]
		if n.SHA256 != sums[name] || n.ContentSize != strconv.FormatUint(c.files[name].UncompressedSize64, 10) {
			return problem(name, "its size or hash is not what the metadata says")
		}
	}
	for _, name := range c.Names() {
		if !isFrame(name) && !parts[name] {
			return problem(name, "the metadata does not name it")
		}
	}
	return nil
}
