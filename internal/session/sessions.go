package session

import (
	"context"
	"strconv"
	"time"

	"brenner/internal/canon"
	"brenner/internal/evidence"
	"brenner/internal/fold"
	"brenner/internal/lru"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session/live"
)

// Worktree is the port to the files of a project and, where there is one, its git repository.
// Paths are relative to the project, with slashes. Errors carry a code: NOT_ALLOWED (the path leads out
// of the project), UNREADABLE, UNWRITABLE, GIT_FAILED.
type Worktree interface {
	// Read returns a file's content; the second result is false if there is none.
	Read(path string) ([]byte, bool, error)
	// AtHead returns a file's content as it was committed last; false: there is no repository, no commit, or no such file in it.
	AtHead(ctx context.Context, path string) ([]byte, bool, error)
	// List returns the paths of the plain files in a folder; none if there is no such folder.
	List(folder string) ([]string, error)
	// Write replaces a file atomically.
	Write(path string, data []byte) error
	// State measures how far a file has come into the history.
	State(ctx context.Context, path string) (FileState, error)
	// Commit commits that file alone, as the agent that acts where git knows nobody.
	Commit(ctx context.Context, path, as, message string) (Commit, error)
	// Committable checks, without changing anything, what Commit will need: a git repository,
	// an identity, and a path that this repository keeps. GIT_FAILED or NOT_ALLOWED: what is missing.
	Committable(ctx context.Context, path, as string) error
}

// Commit is what was committed.
type Commit struct {
	Hash    string
	StandIn string // whom the commit names because git knows nobody; empty: whom git says
}

// FileState is what a work tree can tell about a file.
type FileState struct {
	Exists    bool
	Committed bool
	Commit    string // the last commit that touched it; empty if there is none
}

// Bead is an issue of the project's tracker.
type Bead struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Status string `json:"status"`
}

// Settings are what a project configures.
type Settings struct {
	PersistEvery int                      // write every N versions; 0: only when asked
	Prompts      map[protocol.Role]string // texts that replace a role's duty
	Families     map[string]string        // words of models and programs → family (SCIENCE 7)
	// Library returns the transcript and the evidence pack as they are now; nil: there is none. The same
	// value comes back until one of them changes. INVALID_EVIDENCE_INDEX: the pack cannot be read.
	Library func() (*evidence.Library, error)
	// ReadRun reads the record of a run of the pack; nil: there is none.
	ReadRun func(*evidence.Source) (evidence.Run, error)
	// Bead looks an issue up. The second result is false if it does not exist; nil: no beads.
	Bead func(ctx context.Context, id string) (Bead, bool)
	// Probe looks at programs; the zero value cannot.
	Probe Probe
}

// Sessions are the research sessions of one project. Safe for concurrent use.
type Sessions struct {
	mail     *mail.Service
	tree     Worktree // nil: nothing can be persisted
	settings Settings

	threads *live.Threads[*fold.View, *revision]

	owing owing
	list  threadList

	follower follower
	files    *lru.Cache[fileKey, Persistence]
	windows  *lru.Cache[canon.Hash, []fold.Record]
	graph    knownGraph
}

// New makes the sessions of a project. tree may be nil.
func New(service *mail.Service, tree Worktree, settings Settings) *Sessions {
	threads := live.New[*fold.View, *revision](service.Store(), service.Project().ID, threadViews, live.Budget)
	return &Sessions{mail: service, tree: tree, settings: settings, threads: threads,
		files:   lru.New[fileKey, Persistence](maxFiles, nil),
		windows: lru.New[canon.Hash, []fold.Record](maxWindows, nil)}
}

// Mail returns the mail service below.
func (s *Sessions) Mail() *mail.Service { return s.mail }

func (s *Sessions) store() mail.Store       { return s.mail.Store() }
func (s *Sessions) project() mail.ProjectID { return s.mail.Project().ID }
func (s *Sessions) now() time.Time          { return s.mail.Now() }

func formatID(id int64) string { return strconv.FormatInt(id, 10) }
