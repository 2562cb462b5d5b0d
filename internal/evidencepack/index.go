package evidencepack

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"brenner/internal/evidence"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
	"brenner/internal/yamltext"
)

// indexKey is the key of the list in the index. A bare list is read too.
const indexKey = "evidence"

// indexBytes returns the index as it is, empty if there is none.
func (p *Pack) indexBytes() ([]byte, error) {
	data, err := p.folder.Read(indexName, maxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.InvalidEvidenceIndex, "the evidence index cannot be read: %w", err)
	}
	return data, nil
}

// readIndex reads the entries of the index.
func (p *Pack) readIndex(files *listing) (contents, error) {
	if _, ok := files.files[path.Base(indexName)]; !ok {
		if _, err := p.folder.Stat(indexName); err == nil {
			return contents{}, invalidIndex(0, "it is not a plain file")
		}
		return contents{where: []any{indexKey}}, nil
	}
	data, err := p.indexBytes()
	if err != nil {
		return contents{}, err
	}
	return parseIndex(data)
}

// contents is what an index says.
type contents struct {
	entries  []*evidence.Source
	where    []any // the place of their list
	snapshot *evidence.Snapshot
}

// entry finds the place of a source; -1: it has no entry.
func (c *contents) entry(id string) int {
	return slices.IndexFunc(c.entries, func(s *evidence.Source) bool { return s.ID == id })
}

// maxMarks bounds what can begin a value in an index: the tree of one takes hundreds of bytes for each, however short it is
// (PROTOCOL 16).
const maxMarks = 600_000

// marks counts what can begin a value: lines, and in them what YAML puts before one.
func marks(data []byte) (n int) {
	for i, b := range data {
		switch b {
		case '\n', ',', '[', '{':
			n++
		case ':', '-', '?':
			if i+1 < len(data) && (data[i+1] == ' ' || data[i+1] == '\n' || data[i+1] == '\t') {
				n++
			}
		}
	}
	return n
}

// parseIndex reads an index.
func parseIndex(data []byte) (contents, error) {
	c := contents{where: []any{indexKey}}
	if !utf8.Valid(data) {
		return contents{}, invalidIndex(0, "it is not UTF-8")
	}
	if marks(data) > maxMarks {
		return contents{}, invalidIndex(0, fmt.Sprintf("it has more than %d values", maxMarks/2))
	}
	root, err := yamltext.Parse(data)
	if err != nil {
		return contents{}, invalidIndex(0, err.Error())
	}
	list := root
	switch {
	case root == nil || root.Kind == yamltext.Scalar && root.Null():
		return c, nil
	case root.Kind == yamltext.Sequence:
		c.where = nil
	case root.Kind == yamltext.Mapping:
		if c.snapshot, err = parseSnapshot(member(root, snapshotKey)); err != nil {
			return contents{}, err
		}
		if list = member(root, indexKey); list == nil || list.Kind == yamltext.Scalar && list.Null() {
			return c, nil
		}
	}
	if list.Kind != yamltext.Sequence {
		return contents{}, invalidIndex(list.Line, "the evidence is not a list")
	}
	c.entries, err = parseEntries(list.Items)
	return c, err
}

func parseEntries(items []*yamltext.Node) ([]*evidence.Source, error) {
	var entries []*evidence.Source
	seen := map[string]bool{}
	for _, item := range items {
		s, err := parseEntry(item)
		if err != nil {
			return nil, err
		}
		if seen[s.ID] {
			return nil, invalidIndex(item.Line, s.ID+" is there twice")
		}
		seen[s.ID] = true
		entries = append(entries, s)
	}
	return entries, nil
}

func invalidIndex(line int, what string) error {
	place := indexName
	if line > 0 {
		place += ", line " + strconv.Itoa(line)
	}
	f := protocol.NewFinding(protocol.InvalidEvidenceIndex, "%s: %s.", place, strings.TrimSuffix(what, ".")).In(indexName)
	f.Line = line
	return protocol.Errorf(protocol.InvalidEvidenceIndex, "%s cannot be read: %s", place, what).WithFindings([]protocol.Finding{f})
}

func member(n *yamltext.Node, key string) *yamltext.Node {
	i := slices.IndexFunc(n.Members, func(m yamltext.Member) bool { return m.Key == key })
	if i < 0 {
		return nil
	}
	return n.Members[i].Value
}

// fields reads the scalars of a mapping and remembers the first that is none.
type fields struct {
	node *yamltext.Node
	err  error
}

func (f *fields) text(key string) string {
	n := member(f.node, key)
	switch {
	case n == nil || n.Null():
		return ""
	case n.Kind != yamltext.Scalar:
		f.fail(n.Line, key+" is not a text")
		return ""
	}
	return n.Text
}

func (f *fields) number(key string) int {
	text := f.text(key)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		f.fail(member(f.node, key).Line, key+" is not a line number")
	}
	return n
}

// part reads a number from 0 to 1; nil: there is none.
func (f *fields) part(key string) *float64 {
	text := f.text(key)
	if text == "" {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n <= 1) {
		f.fail(member(f.node, key).Line, key+" is not a number from 0 to 1")
	}
	return &n
}

func (f *fields) fail(line int, what string) {
	if f.err == nil {
		f.err = invalidIndex(line, what)
	}
}

var (
	hashForm    = pattern.Lazy(`^[0-9a-f]{64}$`)
	excerptForm = pattern.Lazy(`^E[1-9][0-9]{0,8}$`)
)

func parseEntry(n *yamltext.Node) (*evidence.Source, error) {
	if n.Kind != yamltext.Mapping {
		return nil, invalidIndex(n.Line, "an entry is not a mapping")
	}
	f := fields{node: n}
	s := &evidence.Source{
		ID: f.text("id"), Title: f.text("title"), Source: f.text("source"), Kind: evidence.Kind(f.text("kind")),
		AddedAt: f.text("added_at"), AddedBy: f.text("added_by"), File: f.text("file"), SHA256: f.text("sha256"),
		Text: f.text("text"), TextSHA256: f.text("text_sha256"), TextBy: evidence.TextBy(f.text("text_by")),
		TextAgrees: f.part("text_agrees"),
		Share:      f.text("share") != "false", Status: evidence.Status(f.text("status")), StatusBy: f.text("status_by"),
		StatusNote: f.text("status_note"),
		Indexed:    true,
	}
	if s.Kind == "" {
		s.Kind = evidence.KindSource
	}
	if s.TextBy == "" && s.Text != "" { // an index from before it was said
		s.TextBy = evidence.TextExtracted
	}
	if s.Status == "" {
		s.Status = evidence.Current
	}
	f.check(s)
	if f.err == nil {
		s.Cite, f.err = parseCite(s.ID, member(n, "cite"))
	}
	if f.err == nil {
		s.Excerpts, f.err = parseExcerpts(s.ID, member(n, "excerpts"))
	}
	return s, f.err
}

// check tells the first thing that is wrong with the fields of an entry.
func (f *fields) check(s *evidence.Source) {
	switch {
	case f.err != nil:
	case !idForm().MatchString(s.ID):
		f.fail(f.node.Line, "an entry has no id such as EV-001")
	case s.Kind != evidence.KindSource && s.Kind != evidence.KindRun:
		f.fail(f.node.Line, "the kind of "+s.ID+" is neither source nor run")
	case !ownFile(s.ID, s.File) && (s.File != "" || s.Share): // one that is not shared may have come without its file
		f.fail(f.node.Line, "the file of "+s.ID+" is not a file of the pack such as "+s.ID+".txt")
	case s.Text != "" && !ownFile(s.ID, s.Text):
		f.fail(f.node.Line, "the text of "+s.ID+" is not a file of the pack such as "+s.ID+".txt")
	case !hashForm().MatchString(s.SHA256) || s.TextSHA256 != "" && !hashForm().MatchString(s.TextSHA256):
		f.fail(f.node.Line, s.ID+" has no SHA-256 of 64 hexadecimal digits")
	case s.TextBy != "" && s.TextBy != evidence.TextSupplied && s.TextBy != evidence.TextExtracted:
		f.fail(member(f.node, "text_by").Line, "the text_by of "+s.ID+" is neither supplied nor extracted")
	case !slices.Contains(evidence.Statuses, s.Status):
		f.fail(member(f.node, "status").Line, "the status of "+s.ID+" is none of current, corrected, retracted, superseded")
	case s.StatusBy != "" && !idForm().MatchString(s.StatusBy):
		f.fail(member(f.node, "status_by").Line, "the status_by of "+s.ID+" is no id such as EV-001")
	}
}

// ownFile tells whether a name is a plain file name that belongs to an id.
func ownFile(id, name string) bool {
	m := sourceName().FindStringSubmatch(name)
	return m != nil && m[1] == id && !strings.ContainsAny(name, "/\\\x00") && path.Base(name) == name
}

func parseExcerpts(id string, n *yamltext.Node) ([]evidence.Excerpt, error) {
	switch {
	case n == nil || n.Null():
		return nil, nil
	case n.Kind != yamltext.Sequence:
		return nil, invalidIndex(n.Line, "the excerpts of "+id+" are not a list")
	}
	var excerpts []evidence.Excerpt
	for _, item := range n.Items {
		if item.Kind != yamltext.Mapping {
			return nil, invalidIndex(item.Line, "an excerpt of "+id+" is not a mapping")
		}
		f := fields{node: item}
		e := evidence.Excerpt{ID: f.text("id"), Text: f.text("text"), From: f.number("from"), To: f.number("to")}
		twice := slices.ContainsFunc(excerpts, func(other evidence.Excerpt) bool { return other.ID == e.ID })
		switch {
		case f.err != nil:
		case !excerptForm().MatchString(e.ID) || twice:
			f.fail(item.Line, "an excerpt of "+id+" has no id of its own such as E1")
		case e.From > e.To:
			f.fail(item.Line, "the lines of "+id+"#"+e.ID+" run backwards")
		}
		if f.err != nil {
			return nil, f.err
		}
		excerpts = append(excerpts, e)
	}
	return excerpts, nil
}

// entryNode writes an entry.
func entryNode(s *evidence.Source) *yamltext.Node {
	n := &yamltext.Node{Kind: yamltext.Mapping}
	add := func(key string, v *yamltext.Node) {
		n.Members = append(n.Members, yamltext.Member{Key: key, Value: v})
	}
	add("id", textNode(s.ID))
	add("title", textNode(s.Title))
	add("source", textNode(s.Source))
	add("kind", textNode(string(s.Kind)))
	add("added_at", textNode(s.AddedAt))
	add("added_by", textNode(s.AddedBy))
	add("file", textNode(s.File))
	add("sha256", textNode(s.SHA256))
	add("text", textNode(s.Text))
	add("text_sha256", textNode(s.TextSHA256))
	add("text_by", textNode(string(s.TextBy)))
	add("text_agrees", partNode(s.TextAgrees))
	add("share", plainNode(strconv.FormatBool(s.Share)))
	add("status", textNode(string(s.Standing())))
	add("status_by", textNode(s.StatusBy))
	add("status_note", textNode(s.StatusNote))
	add("cite", citeNode(s.Cite))
	excerpts := &yamltext.Node{Kind: yamltext.Sequence}
	for _, e := range s.Excerpts {
		excerpts.Items = append(excerpts.Items, excerptNode(e))
	}
	add("excerpts", excerpts)
	return n
}

// textNode writes a text; an empty one is null.
func textNode(text string) *yamltext.Node {
	if text == "" {
		return plainNode("null")
	}
	return &yamltext.Node{Text: text}
}

func plainNode(text string) *yamltext.Node { return &yamltext.Node{Text: text, Plain: true} }

func partNode(n *float64) *yamltext.Node {
	if n == nil {
		return plainNode("null")
	}
	return plainNode(strconv.FormatFloat(*n, 'f', -1, 64))
}

func excerptNode(e evidence.Excerpt) *yamltext.Node {
	number := func(v int) *yamltext.Node { return &yamltext.Node{Text: strconv.Itoa(v), Plain: true} }
	return &yamltext.Node{Kind: yamltext.Mapping, Members: []yamltext.Member{
		{Key: "id", Value: &yamltext.Node{Text: e.ID}}, {Key: "text", Value: &yamltext.Node{Text: e.Text}},
		{Key: "from", Value: number(e.From)}, {Key: "to", Value: number(e.To)},
	}}
}
