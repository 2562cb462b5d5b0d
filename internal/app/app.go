package app

import (
	"context"
	"time"

	"brenner/internal/beads"
	"brenner/internal/config"
	"brenner/internal/evidencepack"
	"brenner/internal/mail"
	"brenner/internal/operator"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/session"
	"brenner/internal/worktree"
)

// Options say what to open.
type Options struct {
	Project Project
	Store   string           // DSN; empty: the project's own
	Now     func() time.Time // nil: the clock
}

// App is an open project. Close it.
type App struct {
	Project  Project
	Config   config.Config
	Findings []protocol.Finding // about the settings
	Store    mail.Store
	Mail     *mail.Service
	Sessions *session.Sessions
	Evidence *evidencepack.Pack
	Programs *operator.Programs // what runs on this machine

	dsn     string                   // of the store
	prompts map[protocol.Role]string // texts that replace a role's duty
}

// Open reads the settings, opens the store and puts mail and sessions on top. Store and project
// are made if they are not there.
func Open(ctx context.Context, o Options) (*App, error) {
	return openClosed(ctx, o, (*App).ensure)
}

// openClosed opens a store, and takes the rights of others to it away.
func openClosed(ctx context.Context, o Options, find finder) (*App, error) {
	exposed := exposedStore(o.dsn())
	a, err := open(ctx, o, OpenStore, find)
	if err == nil {
		a.Findings = append(a.Findings, closeStore(o.dsn(), exposed)...)
	}
	return a, err
}

// Peek opens what is there and makes nothing. NOT_FOUND: there is no store, or the project is not
// in it.
func Peek(ctx context.Context, o Options) (*App, error) {
	if !StoreExists(o.dsn()) {
		return nil, protocol.Errorf(protocol.NotFound, "there is no store yet")
	}
	return open(ctx, o, OpenStore, (*App).known)
}

// errUnknownProject says that a store holds nothing of the project.
var errUnknownProject = protocol.Errorf(protocol.NotFound, "the store does not know the project")

func (a *App) known(ctx context.Context, o Options) (mail.Project, error) {
	project, ok, err := a.home(ctx, o)
	if err == nil && !ok {
		err = errUnknownProject
	}
	return project, err
}

func (o Options) dsn() string {
	if o.Store != "" {
		return o.Store
	}
	return o.Project.DefaultStore()
}

// opener opens the store that a DSN names, and finder the project in it.
type (
	opener func(ctx context.Context, dsn string) (mail.Store, error)
	finder func(*App, context.Context, Options) (mail.Project, error)
)

func open(ctx context.Context, o Options, openStore opener, find finder) (*App, error) {
	a := &App{Project: o.Project, dsn: o.dsn()}
	var err error
	if a.Config, a.Findings, err = o.Project.Config(); err != nil {
		return nil, err
	}
	settings, err := a.settings()
	if err != nil {
		return nil, err
	}
	a.prompts = settings.Prompts
	if a.Store, err = openStore(ctx, o.dsn()); err != nil {
		return nil, err
	}
	project, err := find(a, ctx, o)
	if err != nil {
		_ = a.Store.Close() // the first error says what is wrong
		return nil, err
	}
	door := &session.Door{}
	a.Mail = mail.NewService(a.Store, project, mail.Options{
		Now: o.Now, Mode: mail.Mode(a.Config.Validation), Door: door, Acks: a.acks(), BeadExists: a.beadExists(ctx),
		Refused: runner.NoteRefusals(o.Project.Root), Accepted: a.checkpoints(),
	})
	a.Sessions = session.New(a.Mail, worktree.At(o.Project.Root), settings)
	door.Attach(a.Sessions)
	return a, nil
}

// closing is how long the end of a process may take to keep what it has worked out.
const closing = 5 * time.Second

// Close keeps what was worked out for the next process, and releases the store.
func (a *App) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	a.Sessions.Close(ctx)
	return a.Store.Close()
}

// home finds the project in its store. A store of the project's own follows the folder when
// that is moved: if it holds one project under another path, that is this one.
func (a *App) home(ctx context.Context, o Options) (mail.Project, bool, error) {
	if other, ok := a.Store.(mail.Finder); ok {
		return other.FindProject(ctx, a.Project.Root)
	}
	projects, err := a.Store.Projects(ctx)
	if err != nil {
		return mail.Project{}, false, err
	}
	if o.dsn() == o.Project.DefaultStore() && len(projects) == 1 {
		return projects[0], true, nil
	}
	for _, p := range projects {
		if p.HumanKey == a.Project.Root {
			return p, true, nil
		}
	}
	return mail.Project{}, false, nil
}

func (a *App) ensure(ctx context.Context, o Options) (mail.Project, error) {
	if project, ok, err := a.home(ctx, o); ok || err != nil {
		return project, err
	}
	now := o.Now
	if now == nil {
		now = time.Now
	}
	return a.Store.EnsureProject(ctx, a.Project.Root, now())
}

func (a *App) acks() mail.AckPolicy {
	return mail.AckPolicy{Deadline: a.Config.Ack.Deadline, Deadlines: a.Config.Ack.Deadlines, Reminders: a.Config.Ack.Reminders}
}

// settings reads what sessions need of the project: prompts, beads, and what lint will ask.
func (a *App) settings() (session.Settings, error) {
	s := session.Settings{PersistEvery: a.Config.Persist.Every, Prompts: map[protocol.Role]string{}, Families: a.Config.Families,
		Probe: a.probe()}
	var err error
	for role := range a.Config.Prompts {
		if s.Prompts[role], err = a.Config.ReadPrompt(role); err != nil {
			return s, err
		}
	}
	if err := a.Config.CheckTranscript(); err != nil {
		return s, err
	}
	s.Library = a.library()
	s.ReadRun = a.Evidence.ReadRun
	if tracker, ok := beads.Open(a.Project.Root); ok {
		s.Bead = func(ctx context.Context, id string) (session.Bead, bool) {
			b, ok := tracker.Find(ctx, id)
			return session.Bead(b), ok
		}
	}
	return s, nil
}

// beadExists tells the door whether a bead is there, where beads are.
func (a *App) beadExists(ctx context.Context) func(string) (bool, bool) {
	tracker, ok := beads.Open(a.Project.Root)
	if !ok {
		return nil
	}
	return func(id string) (bool, bool) {
		_, found := tracker.Find(ctx, id)
		return found, true
	}
}
