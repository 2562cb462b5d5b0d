package crate

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// noLicense is written where a project names no licence (SCIENCE 9).
const noLicense = "No licence is granted; ask the authors."

// Metadata describes a crate as a whole.
type Metadata struct {
	Name        string
	Description string
	Edition     string // of the rules that it follows
	Identifier  string // of what is in it, for those who know its origin
	Version     string
	Published   time.Time // the day of the version
	License     string    // an address or words; empty: none is granted
	Authors     []Person
	Agents      []Agent
	Compile     Compile
	Runs        []Run
	Works       []Work
}

// Person is an author.
type Person struct{ Name, ORCID string }

// Agent is a program or a person that took part.
type Agent struct {
	Name, Program, Model string
	Family               string // of its model; empty: unknown
	Human                bool
}

// Compile is how the version came about.
type Compile struct {
	Version int
	At      time.Time
	By      string
	Tool    string // the program that compiled, with its version
}

// orcidAddress comes before the number that names a researcher.
const orcidAddress = "https://orcid.org/"

// agentPrefix begins the id of an agent that took part.
const agentPrefix = "#agent-"

// entity is a node of the flattened JSON-LD document.
type entity map[string]any

func ref(id string) entity { return entity{"@id": id} }

func refs(ids []string) []entity {
	out := make([]entity, 0, len(ids))
	for _, id := range ids {
		out = append(out, ref(id))
	}
	return out
}

// document is the text of ro-crate-metadata.json: the descriptor, the root, then every other
// entity, each once and named by an id.
func (m Metadata) document(parts []measured) string {
	graph := []entity{{
		"@id": MetadataName, "@type": "CreativeWork", "about": ref("./"), "conformsTo": ref("https://w3id.org/ro/crate/1.2"),
	}}
	files, fileIDs := fileEntities(parts)
	people, peopleIDs := m.people()
	agents, agentIDs, humans := m.agents()
	runs, runIDs := m.runs()
	works, workIDs := m.works()
	root, license := m.root(fileIDs, peopleIDs)
	root["mentions"] = refs(append([]string{m.actionID()}, runIDs...))
	if len(workIDs) > 0 {
		root["citation"] = refs(workIDs)
	}
	graph = append(graph, root)
	graph = slices.Concat(graph, files, people, agents, []entity{m.action(agentIDs, humans)}, runs, license, works)
	return encode(once(graph))
}

// encode writes the entities of a document.
func encode(graph []entity) string {
	return encodeObject(entity{"@context": "https://w3id.org/ro/crate/1.2/context", "@graph": graph})
}

func encodeObject(object entity) string {
	text, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		panic("crate: metadata of strings and lists cannot fail to marshal: " + err.Error())
	}
	return string(text) + "\n"
}

// root returns the dataset and, where the licence has an address, the licence's own entity.
func (m Metadata) root(files, people []string) (entity, []entity) {
	root := entity{
		"@id": "./", "@type": "Dataset", "name": m.Name, "description": m.Description,
		"identifier": m.Identifier, "version": m.Version, "schemaVersion": m.Edition,
		"datePublished": m.Published.UTC().Format(time.DateOnly), "hasPart": refs(files),
	}
	if len(people) > 0 {
		root["author"] = refs(people)
	}
	switch {
	case m.License == "":
		root["license"] = noLicense
	case strings.HasPrefix(m.License, "https://"), strings.HasPrefix(m.License, "http://"):
		root["license"] = ref(m.License)
		return root, []entity{{"@id": m.License, "@type": "CreativeWork", "name": m.License}}
	default:
		root["license"] = m.License
	}
	return root, nil
}

func fileEntities(parts []measured) (entities []entity, ids []string) {
	for _, part := range parts {
		if isFrame(part.Name) {
			continue
		}
		id := fileID(part.Name)
		ids = append(ids, id)
		entities = append(entities, entity{
			"@id": id, "@type": "File", "name": part.Title, "contentSize": strconv.FormatInt(part.size, 10),
			"encodingFormat": part.MediaType, "sha256": part.sha256,
		})
	}
	return entities, ids
}

// fileID writes a name as the relative address that JSON-LD asks for.
func fileID(name string) string {
	return (&url.URL{Path: name}).EscapedPath()
}

func (m Metadata) people() (entities []entity, ids []string) {
	for i, person := range m.Authors {
		id := person.ORCID
		switch {
		case id == "":
			id = fmt.Sprintf("#author-%d", i+1)
		case !strings.HasPrefix(id, "https://"):
			id = orcidAddress + id
		}
		ids = append(ids, id)
		entities = append(entities, entity{"@id": id, "@type": "Person", "name": person.Name})
	}
	return entities, ids
}

func (m Metadata) agents() (entities []entity, ids, humans []string) {
	var families []string
	var makers []entity
	for _, agent := range m.Agents {
		id := agentPrefix + url.PathEscape(agent.Name)
		if agent.Human {
			humans = append(humans, id)
			entities = append(entities, entity{"@id": id, "@type": "Person", "name": agent.Name})
			continue
		}
		ids = append(ids, id)
		e := entity{"@id": id, "@type": "SoftwareApplication", "name": agent.Name}
		if agent.Program != "" {
			e["description"] = strings.TrimSuffix(agent.Program+", "+agent.Model, ", ")
		}
		if agent.Model != "" {
			e["softwareVersion"] = agent.Model
		}
		entities = append(entities, e)
		if agent.Family == "" {
			continue
		}
		family := familyID(agent.Family)
		e["provider"] = ref(family)
		if !slices.Contains(families, family) {
			families = append(families, family)
			makers = append(makers, entity{"@id": family, "@type": "Organization", "name": agent.Family})
		}
	}
	return append(entities, makers...), ids, humans
}

// familyID names the makers of a family of models.
func familyID(family string) string { return "#family-" + url.PathEscape(family) }

func (m Metadata) actionID() string { return fmt.Sprintf("#compile-v%d", m.Compile.Version) }

func (m Metadata) action(instruments, humans []string) entity {
	e := entity{
		"@id": m.actionID(), "@type": "CreateAction", "name": fmt.Sprintf("Compile of version %d", m.Compile.Version),
		"description": fmt.Sprintf("%s, asked for by %s, folded the thread into artifact.md.", m.Compile.Tool, m.Compile.By),
		"endTime":     m.Compile.At.UTC().Format(time.RFC3339), "instrument": refs(instruments), "result": ref("artifact.md"),
	}
	if len(humans) > 0 {
		e["participant"] = refs(humans)
	}
	return e
}

// Document returns what ro-crate-metadata.json says of files.
func (m Metadata) Document(files []File) (string, error) {
	parts, err := measureAll(files)
	if err != nil {
		return "", err
	}
	return m.document(parts), nil
}
