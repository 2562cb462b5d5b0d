package server

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"brenner/internal/mail"
)

// Deps are the handlers of a server, and what they need.
type Deps struct {
	Mail *mail.Service // of the project that the server was started in

	// Acks makes a pass over overdue acknowledgements, if it is this server's turn; another follows after the interval.
	// nil: over those of Mail.
	Acks func(ctx context.Context, every time.Duration) (mail.AckRun, error)

	// MCP answers at exactly /mcp, /mcp/, /api and /api/.
	MCP http.Handler
	// Drain lets go of all clients that wait inside MCP or listen to events, now and later; called once, before
	// connections are closed: other requests are answered until they are. nil: no client waits.
	Drain func()
	// Close ends what is behind the handlers; called once, when no request is under way. nil: nothing.
	Close func() error

	// Waiters tells how many calls wait inside MCP; nil: not told.
	Waiters func() int

	// Metrics count what happens; nil: new ones.
	Metrics *Metrics

	// Web answers everything that is not the server's own; nil: 404. It comes behind the same
	// doors: Host, Origin and tokens are checked before it is asked.
	Web http.Handler
	// Serves tells whether Web has something to show at a request's address. Everything else is not found, for every
	// client (MAIL, transport). nil: it may have something everywhere.
	Serves func(*http.Request) bool
}

// Options are the settings of a server. Zero fields have the defaults named in limits.go.
type Options struct {
	Addr   string   // where it listens, host:port
	Hosts  []string // further names under which it may be asked for
	Strict bool     // every client needs a token
	// Proxies are addresses and ranges that are trusted to say from where, and by which scheme, a request comes. One that also
	// shows PeopleSecret (SecretHeader) says who asks (PersonHeader); Operators are the people among those who may act for all.
	Proxies      []string
	PeopleSecret string // empty: no proxy is believed about people
	Operators    []string
	Limits       Limits
	Logger       *slog.Logger // nil: silent
	Now          func() time.Time
}

// Server is the HTTP server of one project. Make it with New, then Serve.
type Server struct {
	deps     Deps
	options  Options
	gate     gate
	proxies  *proxies
	keys     *Keys
	rates    *rates
	tries    *tries
	visits   *visits
	metrics  *Metrics
	ready    *readiness
	handler  http.Handler
	stopping atomic.Bool
}

// New makes a server. USAGE: the address cannot be read. NOT_ALLOWED: it would listen beyond this
// machine and no token exists, so that any client could act as any agent.
func New(ctx context.Context, deps Deps, options Options) (*Server, error) {
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	if deps.Metrics == nil {
		deps.Metrics = NewMetrics(options.Now)
	}
	gate, err := newGate(options.Addr, options.Hosts)
	if err != nil {
		return nil, err
	}
	proxies, err := newProxies(options.Proxies, options.PeopleSecret, options.Operators)
	if err != nil {
		return nil, err
	}
	rate := float64(remoteRate)
	if gate.loopback && len(proxies.from) == 0 {
		rate = localRate
	}
	options.Limits = options.Limits.complete(rate)
	s := &Server{
		deps: deps, options: options, gate: gate, proxies: proxies, keys: NewKeys(deps.Mail, options.Now),
		rates: newRates(options.Limits.Rate, options.Limits.Burst, options.Now), metrics: deps.Metrics,
		tries:  newTries(options.Limits.Rate, options.Limits.Burst, options.Now),
		visits: newVisits(deps.Mail, options.Now),
	}
	s.ready = &readiness{probe: s.probe, patience: options.Limits.Probe, now: options.Now}
	if err := s.demandTokens(ctx); err != nil {
		return nil, err
	}
	s.handler = s.routes()
	return s, nil
}

// Handler is the whole house as one handler.
func (s *Server) Handler() http.Handler { return s.handler }

// Listen opens the server's address.
func (s *Server) Listen(ctx context.Context) (net.Listener, error) {
	return listen(ctx, s.options.Addr, s.options.Limits.Connections)
}

// Serve answers on a listener until the context ends, then stops: readiness fails; for as long as Limits.Drain says
// nothing else changes, so that load balancers look elsewhere; then those who wait are let go, no connection is
// accepted any more, and requests under way may finish while the grace lasts. It also makes the passes over
// overdue acknowledgements (PROTOCOL 11). Everything it started has ended when it returns.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	acks := make(chan struct{})
	go func() {
		defer close(acks)
		mail.ScheduleAcks(work, s.options.Limits.AckEvery, s.acks(), s.reportAcks)
	}()
	h := s.httpServer()
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(l) }()

	var err error
	select {
	case err = <-failed: // the listener is gone
		s.stopping.Store(true)
		s.drain()
	case <-ctx.Done():
		err = s.shutdown(h)
		<-failed
	}
	cancel()
	<-acks
	s.ready.workers.Wait()
	if s.deps.Close != nil {
		if closeErr := s.deps.Close(); closeErr != nil {
			s.options.Logger.Warn("the server did not end cleanly", "error", closeErr)
		}
	}
	return err
}

func (s *Server) httpServer() *http.Server {
	limits := s.options.Limits
	return &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: limits.Header,
		IdleTimeout:       limits.Idle,
		MaxHeaderBytes:    limits.HeaderBytes,
		ConnState:         followRequests,
		ErrorLog:          slog.NewLogLogger(s.options.Logger.Handler(), slog.LevelDebug),
	}
}

func (s *Server) drain() {
	if s.deps.Drain != nil {
		s.deps.Drain()
	}
}

func (s *Server) shutdown(h *http.Server) error {
	s.stopping.Store(true)
	time.Sleep(s.options.Limits.Drain)
	ctx, cancel := context.WithTimeout(context.Background(), s.options.Limits.Grace)
	defer cancel()
	s.drain()
	if err := h.Shutdown(ctx); err != nil {
		s.options.Logger.Warn("requests under way were cut off", "error", err)
		return h.Close()
	}
	return nil
}

func (s *Server) acks() func(context.Context) (mail.AckRun, error) {
	if s.deps.Acks != nil {
		return func(ctx context.Context) (mail.AckRun, error) { return s.deps.Acks(ctx, s.options.Limits.AckEvery) }
	}
	return s.deps.Mail.RunAcks
}

func (s *Server) reportAcks(run mail.AckRun, err error) {
	if err != nil {
		s.options.Logger.Warn("the pass over overdue acknowledgements failed", "error", err)
	}
	s.metrics.acks(len(run.Reminders), len(run.Escalations))
}
