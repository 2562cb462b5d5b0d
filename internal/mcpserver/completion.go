package mcpserver

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// The specification allows a hundred values in an answer. More threads than completedFrom are not
// looked at: the newest are what a person begins to type.
const (
	maxCompleted  = 100
	completedFrom = 1000
)

// completions are what is asked for: an argument of a prompt or of a resource's address, as far as
// it is typed, and the arguments that are known.
type completions struct {
	server  *Server
	project *project
	who     caller
	given   map[string]string
}

// completers know the values of arguments, by name: they mean the same everywhere.
var completers = map[string]func(ctx context.Context, c *completions) ([]string, error){
	"agent": agentNames, "agent_name": agentNames,
	"thread": threadIDs, "thread_id": threadIDs,
	"project": projectSlugs, "project_slug": projectSlugs, "slug": projectSlugs,
	"version":     artifactVersions,
	"urgent_only": flagWords, "include_bodies": flagWords,
	"format": func(context.Context, *completions) ([]string, error) { return []string{"json", "markdown"}, nil },
}

// complete suggests values for an argument. Errors are faults.
func (s *Server) complete(ctx context.Context, who caller, params *mcp.CompleteParams) (*mcp.CompleteResult, error) {
	if params.Ref == nil || params.Argument.Name == "" {
		return nil, newFault(jsonrpc.CodeInvalidParams, "ref and argument are needed")
	}
	if !s.completable(params.Ref) {
		return nil, newFault(jsonrpc.CodeInvalidParams, "unknown reference %q", params.Ref.Name+params.Ref.URI)
	}
	c := &completions{server: s, project: s.projects.home, who: who}
	if params.Context != nil {
		c.given = params.Context.Arguments
	}
	var values []string
	complete := completers[params.Argument.Name]
	if complete != nil && (who.anyone || who.agent != "") { // a caller that has to prove its identity and did not learns no names
		if err := c.visit(ctx, who); err != nil {
			return nil, faultOf(err, "")
		}
		found, err := complete(ctx, c)
		if err != nil {
			return nil, faultOf(err, "")
		}
		values = matching(found, params.Argument.Value)
	}
	result := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Total: len(values), Values: protocol.NonNil(values)}}
	if len(values) > maxCompleted {
		result.Completion.Values, result.Completion.HasMore = values[:maxCompleted], true
	}
	return result, nil
}

// completable tells whether something of that name takes arguments.
func (s *Server) completable(ref *mcp.CompleteReference) bool {
	if ref.Type == "ref/prompt" {
		return slices.Contains(protocol.Roles(), protocol.Role(ref.Name))
	}
	path, _, _ := strings.Cut(ref.URI, "{")
	return slices.ContainsFunc(templates, func(t *mcp.ResourceTemplate) bool {
		known, _, _ := strings.Cut(t.URITemplate, "{")
		return known == path || t.URITemplate == ref.URI
	})
}

// visit chooses the project that the other arguments name. One that is half typed is no error.
func (c *completions) visit(ctx context.Context, who caller) error {
	key := c.given["project"]
	if key == "" {
		return nil
	}
	found, err := c.server.projects.find(ctx, key)
	if protocol.CodeOf(err) == protocol.NotFound {
		return nil
	}
	if err == nil {
		err = c.server.mayVisit(who, found)
	}
	if err == nil {
		c.project = found
	}
	return err
}

// matching keeps what begins with what was typed, in whatever case.
func matching(values []string, typed string) []string {
	typed = strings.ToLower(strings.TrimSpace(typed))
	return slices.DeleteFunc(values, func(v string) bool { return !strings.HasPrefix(strings.ToLower(v), typed) })
}

func agentNames(ctx context.Context, c *completions) ([]string, error) {
	agents, err := c.project.mail.Agents(ctx)
	var names []string
	for i := range agents {
		if !agents[i].Retired() {
			names = append(names, agents[i].Name)
		}
	}
	slices.Sort(names)
	return names, err
}

// threadIDs are those of threads, the latest in use first.
func threadIDs(ctx context.Context, c *completions) ([]string, error) {
	threads, err := c.server.access(c.who, c.project).LatestThreads(ctx, completedFrom)
	ids := make([]string, len(threads))
	for i, t := range threads {
		ids[i] = t.ID
	}
	return ids, err
}

// projectSlugs has the home project alone: callers are not told of others.
func projectSlugs(_ context.Context, c *completions) ([]string, error) {
	return []string{c.server.projects.home.mail.Project().Slug}, nil
}

// artifactVersions are those of the thread that was chosen before, the latest first.
func artifactVersions(ctx context.Context, c *completions) ([]string, error) {
	id := c.given["thread"]
	if id == "" {
		return nil, nil
	}
	err := c.server.access(c.who, c.project).CheckThread(ctx, id)
	var thread mail.Thread
	if err == nil {
		thread, err = c.project.mail.Thread(ctx, id)
	}
	if protocol.CodeOf(err) == protocol.NotFound {
		return nil, nil // half typed, or none that the caller may read
	}
	if err != nil {
		return nil, err
	}
	var versions []string
	for v := thread.LatestVersion; v > 0 && len(versions) <= maxCompleted; v-- {
		versions = append(versions, strconv.Itoa(v))
	}
	return versions, nil
}

func flagWords(context.Context, *completions) ([]string, error) {
	return []string{"false", "true"}, nil
}
