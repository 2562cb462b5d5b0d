package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// templates are the addresses of resources as clients see them listed. They are found by
// parseURI: the SDK's own matching knows neither raw slashes nor a query in another order.
var templates = []*mcp.ResourceTemplate{
	{URITemplate: "resource://inbox/{agent}{?project,limit,urgent_only,include_bodies,since_ts}", Name: "inbox",
		MIMEType: "application/json", Description: "What an agent received, newest first."},
	{URITemplate: "resource://thread/{thread_id}{?project,include_bodies}", Name: "thread", MIMEType: "application/json",
		Description: "The messages of a thread, oldest first."},
	{URITemplate: "resource://agents/{project_slug}", Name: "agents", MIMEType: "application/json",
		Description: "The agents of a project."},
	{URITemplate: "resource://project/{slug}", Name: "project", MIMEType: "application/json", Description: "A project and its agents."},
	{URITemplate: "resource://message/{id}{?project}", Name: "message", MIMEType: "application/json", Description: "One message."},
	{URITemplate: "brenner://artifact/{thread}{?version,project,format}", Name: "artifact", MIMEType: "text/markdown",
		Description: "The artifact of a research thread; can be subscribed to."},
	{URITemplate: "brenner://evidence/{evidence_id}{?project}", Name: "evidence", MIMEType: "text/plain",
		Description: "The text of a source of the evidence pack, or of one excerpt (EV-001, EV-001%23E2)."},
}

// page is the content of a resource.
type page struct {
	mime string
	text string
}

// readResource reads one resource. Errors are faults.
func (s *Server) readResource(ctx context.Context, who caller, uri string) (*mcp.ReadResourceResult, error) {
	if uri == appURI {
		return app(), nil
	}
	read, err := s.page(ctx, who, uri)
	if err == nil && len(read.text) > maxAnswer {
		err = answerTooLarge()
	}
	if err != nil {
		return nil, faultOf(err, uri)
	}
	return &mcp.ReadResourceResult{
		Contents:  []*mcp.ResourceContents{{URI: uri, MIMEType: read.mime, Text: read.text}},
		Cacheable: private,
	}, nil
}

// private keeps answers out of shared caches: another agent may not read them.
var private = mcp.Cacheable{CacheScope: "private"}

// lasting is for what changes with the program alone: lists of tools, prompts and templates, which stand in a fixed order. Tools depend on
// who asks.
var lasting = mcp.Cacheable{CacheScope: "private", TTLMs: 10 * 60 * 1000}

func (s *Server) page(ctx context.Context, who caller, uri string) (page, error) {
	t, a, err := s.locate(ctx, who, uri)
	if err != nil {
		return page{}, err
	}
	switch t.kind {
	case artifactResource:
		return t.project.artifactPage(ctx, t, a)
	case evidenceResource:
		return t.project.evidencePage(t.name)
	}
	content, err := t.project.content(ctx, &call{arguments: a.args, server: s, caller: who}, t, a)
	if err == nil {
		err = a.args.err()
	}
	if err != nil {
		return page{}, err
	}
	data, err := encode(content)
	return page{"application/json", string(data)}, err
}

// targetOf tells what an address means.
func (s *Server) targetOf(ctx context.Context, who caller, uri string) (target, error) {
	t, _, err := s.locate(ctx, who, uri)
	return t, err
}

// locate finds the project of an address, and refuses to show an agent another's inbox or a thread that it
// may not read.
func (s *Server) locate(ctx context.Context, who caller, uri string) (target, address, error) {
	a, err := parseURI(uri)
	if err != nil {
		return target{}, a, err
	}
	t := target{kind: a.kind, name: strings.TrimSpace(a.word()), project: s.projects.home}
	key := a.args.text("project", "project_key")
	switch a.kind {
	case agentsResource, projectResource:
		key = a.name
	case inboxResource:
		err = who.may(t.name)
	case artifactResource:
		t.version = a.args.integer("version", 0, 0, maxVersions)
	case threadResource, messageResource, evidenceResource:
	default:
		err = protocol.Errorf(protocol.NotFound, "%q is no resource here", uri)
	}
	if err == nil && key != "" {
		if t.project, err = s.projects.find(ctx, key); err == nil {
			err = s.mayVisit(who, t.project)
		}
	}
	if err == nil && (a.kind == threadResource || a.kind == artifactResource) {
		err = s.access(who, t.project).CheckThread(ctx, t.name)
	}
	return t, a, err
}

type inboxObject struct {
	Project  string        `json:"project"`
	Agent    string        `json:"agent"`
	Count    int           `json:"count"`
	Messages []mail.Object `json:"messages"`
	Notice   string        `json:"notice"`
}

type agentsObject struct {
	Project projectObject      `json:"project"`
	Agents  []mail.AgentObject `json:"agents"`
}

type projectDetail struct {
	projectObject
	Agents []mail.AgentObject `json:"agents"`
}

// content reads the resources that are JSON.
func (p *project) content(ctx context.Context, c *call, t target, a address) (any, error) {
	switch t.kind {
	case inboxResource:
		return p.inboxPage(ctx, c, t.name)
	case threadResource:
		viewer := c.viewer()
		return p.thread(ctx, t.name, viewer, c.bodies(withoutBodies))
	case messageResource:
		return p.messagePage(ctx, c, a)
	}
	agents, err := p.mail.Agents(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]mail.AgentObject, len(agents))
	for i := range agents {
		list[i] = agents[i].Object()
	}
	if t.kind == projectResource {
		return projectDetail{p.object(), list}, nil
	}
	return agentsObject{p.object(), list}, nil
}

// viewer is for whom a message is shown: the caller, or whom the query names and the caller
// may act for.
func (c *call) viewer() string {
	if name := c.text("agent"); name != "" && c.caller.may(name) == nil {
		return name
	}
	return c.caller.agent
}

func (p *project) inboxPage(ctx context.Context, c *call, agent string) (any, error) {
	q := mail.InboxQuery{
		Agent: agent, Limit: c.integer("limit", 20, 1, maxMessages), Thread: c.text("thread_id"),
		Urgent: c.flag("urgent_only"), Unread: c.flag("unread_only"), Since: c.instant("since_ts"),
	}
	bodies := c.bodies(withoutBodies)
	if err := c.err(); err != nil {
		return nil, err
	}
	messages, err := p.inbox(ctx, q, bodies)
	return inboxObject{p.key(), agent, len(messages), messages, notice}, err
}

func (p *project) messagePage(ctx context.Context, c *call, a address) (any, error) {
	id, err := a.id()
	if err != nil {
		return nil, err
	}
	m, err := c.server.access(c.caller, p).Message(ctx, id)
	if err != nil {
		return nil, err
	}
	viewer := c.viewer()
	states, err := p.states(ctx, []mail.Message{m}, viewer)
	if err != nil {
		return nil, err
	}
	return messageObject{mail.NewObject(&m, states[id], viewer), notice}, nil
}

type messageObject struct {
	mail.Object
	Notice string `json:"notice"`
}

// artifactPage is a published version, as Markdown unless JSON is asked for.
func (p *project) artifactPage(ctx context.Context, t target, a address) (page, error) {
	format := a.args.text("format")
	if err := a.args.err(); err != nil {
		return page{}, err
	}
	doc, err := p.sessions.Document(ctx, t.name, t.version)
	if err != nil {
		return page{}, err
	}
	if format != "json" {
		return page{"text/markdown", renderArtifact(doc)}, nil
	}
	data, err := encode(doc)
	return page{"application/json", string(data)}, err
}

// maxListed bounds the list of resources; others are found by their templates.
const maxListed = 500

// listResources names what can be read now: the home project, and its latest artifacts.
func (s *Server) listResources(ctx context.Context, who caller) (*mcp.ListResourcesResult, error) {
	home := s.projects.home
	slug := home.mail.Project().Slug
	list := []*mcp.Resource{
		{URI: string(projectResource) + "/" + slug, Name: "project", MIMEType: "application/json",
			Description: "The home project and its agents."},
		{URI: string(agentsResource) + "/" + slug, Name: "agents", MIMEType: "application/json",
			Description: "The agents of the home project."},
	}
	threads, err := s.access(who, home).Threads(ctx)
	if err != nil {
		return nil, faultOf(err, "")
	}
	for _, t := range threads {
		if t.LatestVersion > 0 && !t.Archived() && len(list) < maxListed {
			uri, _, _ := strings.Cut(message.ArtifactLink(t.ID, t.LatestVersion), "?")
			list = append(list, &mcp.Resource{URI: uri, Name: t.ID, MIMEType: "text/markdown", Description: "The latest artifact of " +
				t.ID})
		}
	}
	return &mcp.ListResourcesResult{Resources: list, Cacheable: private}, nil
}
