package mcpserver

import (
	"context"
	"path"
	"strings"
	"sync"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// project is one project of the store with what works on it.
type project struct {
	mail     *mail.Service
	sessions *session.Sessions
	weight   int // bytes of text that an answer should not grow beyond
}

func newProject(s *session.Sessions) *project {
	return &project{mail: s.Mail(), sessions: s, weight: maxBytes}
}

// projects finds the projects of a store by what clients call them. The home project is the one
// the server was started in; others have mail and sessions too, but no folder to write to.
type projects struct {
	home  *project
	make  func(ctx context.Context, project mail.Project) (*session.Sessions, error)
	mu    sync.Mutex
	byKey map[string]*project // human keys and slugs
}

func newProjects(deps Deps) *projects {
	home, root := deps.Home, deps.Root
	p := &projects{home: newProject(home), make: deps.Open, byKey: map[string]*project{}}
	if p.make == nil {
		p.make = p.plain
	}
	if root != "" { // a folder that was moved keeps its project
		p.know(mail.Project{HumanKey: cleanKey(root), Slug: mail.Slug(root)}, p.home)
	}
	p.know(home.Mail().Project(), p.home)
	return p
}

func (p *projects) know(found mail.Project, as *project) {
	p.byKey[found.HumanKey], p.byKey[found.Slug] = as, as
}

func (p *projects) store() mail.Store { return p.home.mail.Store() }

// find returns the project that a path or a slug names; an empty key is the home project. NOT_FOUND: there
// is none.
func (p *projects) find(ctx context.Context, key string) (*project, error) {
	key = cleanKey(key)
	if key == "" {
		return p.home, nil
	}
	if found := p.known(key); found != nil {
		return found, nil
	}
	all, err := p.store().Projects(ctx)
	if err != nil {
		return nil, err
	}
	for _, candidate := range all {
		if candidate.HumanKey == key || candidate.Slug == key {
			return p.open(ctx, candidate)
		}
	}
	return nil, protocol.Errorf(protocol.NotFound, "there is no project %q; this server serves %s: write that as project_key", key,
		p.home.key())
}

// ensure returns the project of an absolute path, making it if it is not there. A slug finds
// its project.
func (p *projects) ensure(ctx context.Context, key string) (*project, error) {
	found, err := p.find(ctx, key)
	if protocol.CodeOf(err) != protocol.NotFound {
		return found, err
	}
	key = cleanKey(key)
	if !absolute(key) || strings.ContainsFunc(key, func(r rune) bool { return r < ' ' }) || len(key) > maxKey {
		return nil, protocol.Errorf(protocol.InvalidInput, "a project's human_key is an absolute path, not %q", key)
	}
	made, err := p.store().EnsureProject(ctx, key, p.home.mail.Now())
	if err != nil {
		return nil, err
	}
	return p.open(ctx, made)
}

// maxKey is how long a path may be.
const maxKey = 4096

func (p *projects) known(key string) *project {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.byKey[key]
}

// open puts mail and sessions on a project of the store, once.
func (p *projects) open(ctx context.Context, found mail.Project) (*project, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if have := p.byKey[found.Slug]; have != nil {
		return have, nil
	}
	sessions, err := p.make(ctx, found)
	if err != nil {
		return nil, err
	}
	opened := newProject(sessions)
	p.know(found, opened)
	return opened, nil
}

// plain opens a project with the defaults.
func (p *projects) plain(_ context.Context, found mail.Project) (*session.Sessions, error) {
	door := &session.Door{}
	service := mail.NewService(p.store(), found, mail.Options{Now: p.home.mail.Now, Door: door})
	sessions := session.New(service, nil, session.Settings{Probe: p.home.sessions.Probe()})
	door.Attach(sessions)
	return sessions, nil
}

// close keeps what the sessions of other projects have worked out; the home project is closed by the caller of New.
func (p *projects) close(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, opened := range p.byKey {
		if opened != p.home {
			opened.sessions.Close(ctx)
		}
	}
}

// cleanKey brings what clients write to the form in which keys are kept.
func cleanKey(key string) string {
	key = strings.TrimSpace(key)
	if strings.HasPrefix(key, "/") {
		return path.Clean(key)
	}
	return key
}

// servesOne tells whether a caller need not say which project it means.
func (s *Server) servesOne(ctx context.Context, who caller) bool {
	if !who.anyone || who.profile == Session {
		return true
	}
	all, err := s.projects.store().Projects(ctx)
	return err == nil && len(all) <= 1
}

// absolute tells whether a path begins at a root, here or on another kind of machine.
func absolute(key string) bool {
	drive := len(key) > 2 && key[1] == ':' && (key[2] == '\\' || key[2] == '/')
	return strings.HasPrefix(key, "/") || strings.HasPrefix(key, `\\`) || drive
}

// projectObject is a project as clients read it.
type projectObject struct {
	ID        mail.ProjectID `json:"id"`
	Slug      string         `json:"slug"`
	HumanKey  string         `json:"human_key"`
	CreatedAt string         `json:"created_at"`
}

func (p *project) object() projectObject {
	found := p.mail.Project()
	return projectObject{found.ID, found.Slug, found.HumanKey, mail.FormatTime(found.CreatedAt)}
}

// key is the name under which answers refer to the project.
func (p *project) key() string { return p.mail.Project().HumanKey }
