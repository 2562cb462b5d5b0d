package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/crate"
	"brenner/internal/mcpserver"
	"brenner/internal/notify"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
	"brenner/internal/server"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	addr   string
	hosts  []string
	tools  string
	strict bool
	lab    bool
	// proxies are believed about addresses, those with the secret in a file about people; people are operators among those they name.
	proxies []string
	secret  string
	cosign  string // file of the key that witnesses checkpoints of colleagues
	people  []string
	drain   time.Duration
	grace   time.Duration
	acks    time.Duration
}

func newServe(a *app) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer agents and browsers over HTTP until interrupted",
		Long: `Serve the project over HTTP: the web app at /, its JSON API under /api/v1, MCP at /mcp/ and /api/,
/health/liveness, /health/readiness and /metrics. The web app only reads, unless --lab is given.
Interrupt it (Ctrl-C, SIGTERM) and readiness fails; after --drain it lets go of everybody who waits,
finishes what is under way within --grace and ends. Any number of servers may share one PostgreSQL
store: any of them serves any client (see doc/team.md).

On this machine (127.0.0.1, localhost) no token is needed; an agent that shows one acts for itself
alone. With --strict-identity, and always on an address that other machines can reach, nobody comes
in without one: see brenner token create; a browser signs in with it once. Without --strict-identity
all mail of the project is open to everybody in it; with it an agent reads only the threads it takes
part in and mail from or to it. Requests for other host names, or from pages of other sites, are
refused.

Behind a proxy, --trust-proxy names its address: from there, and nowhere else, X-Forwarded-For and X-Forwarded-Proto
say where a request comes from. Everybody needs a token then, also on this machine. If the proxy signs people in,
--trust-people names a file with a secret that it shows in X-Brenner-Proxy-Secret: with that, and from that address,
X-Forwarded-User says who asks for pages. Such a person reads; --operator-person names those who also write. MCP
always takes a token.

With --cosign KEY the server witnesses the checkpoints of colleagues: POST /api/v1/checkpoints/cosign takes what
brenner checkpoint -o wrote and gives it back signed, for the journals that your own settings name
(checkpoint.cosign) and by the rule of brenner checkpoint cosign.`,
		Example: "  brenner serve\n  brenner serve --addr 0.0.0.0:8765 --allow-host lab.example",
		Args:    exactly(),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.addr, "addr", "127.0.0.1:8765", "listen on `HOST:PORT`")
	flags.StringSliceVar(&f.hosts, "allow-host", nil, "answer also under the host `NAME`; repeatable")
	flags.BoolVar(&f.strict, "strict-identity", false, "demand a token of every client, and show each agent its own threads alone")
	flags.BoolVar(&f.lab, "lab", false, "let the web app write: compile, persist, send")
	flags.StringSliceVar(&f.proxies, "trust-proxy", nil,
		"take the word of the proxy at `ADDRESS` or range about where requests come from; repeatable")
	flags.StringVar(&f.secret, "trust-people", "",
		"take its word about who asks (X-Forwarded-User) too, if it shows the secret in `FILE`")
	flags.StringSliceVar(&f.people, "operator-person", nil, "let the person `NAME`, as the proxy says it, act for all agents; repeatable")
	flags.StringVar(&f.cosign, "cosign", "",
		"witness checkpoints of the journals in your settings (checkpoint.cosign) with the private SSH key in file `KEY`")
	flags.DurationVar(&f.drain, "drain", 0, "keep answering for this `TIME` after readiness failed, so that a proxy looks elsewhere")
	flags.DurationVar(&f.grace, "grace", 10*time.Second, "let requests under way finish for this `TIME` when the server stops")
	flags.DurationVar(&f.acks, "ack-every", 30*time.Second, "look for overdue acknowledgements every `TIME`; one of several servers does")
	toolsFlag(cmd, &f.tools)
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if f.drain < 0 || f.grace <= 0 || f.acks < 100*time.Millisecond {
			return nil, usageFor(cmd, "--drain, --grace and --ack-every are times such as 5s; the last two are not 0")
		}
		profile, err := profileOf(cmd, f.tools)
		if err != nil {
			return nil, err
		}
		secret, err := proxySecret(f.secret)
		if err != nil {
			return nil, err
		}
		var cosigner *crate.Signer
		if f.cosign != "" {
			if cosigner, err = a.signer(f.cosign); err != nil {
				return nil, err
			}
		}
		open := func(ctx context.Context, o project.Options) (*project.App, error) {
			return project.OpenReady(ctx, o, a.waiting)
		}
		return a.inOpened(open, func(ctx context.Context, p *project.App, _ []string) (report, error) {
			a.relaxCollector(ctx)
			return streamed{}, a.watched(ctx, p, "", func(*notify.Notifier) error {
				return p.Serve(ctx, project.ServeOptions{
					Addr: f.addr, Hosts: f.hosts, Strict: f.strict, Proxies: f.proxies,
					Secret: secret, Operators: f.people, Cosign: cosigner, Lab: f.lab, Tools: profile,
					Version: currentVersion().build(),
					Logger:  a.logger(), Environ: a.environ(), Waiting: a.waiting, Listening: a.announce,
					Limits: server.Limits{Drain: f.drain, Grace: f.grace, AckEvery: f.acks},
				})
			})
		})(ctx, args)
	})
}

// proxySecret reads the secret of a proxy; empty without a file.
func proxySecret(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	text, err := projectfs.ReadFile(path, maxKey)
	if err != nil {
		return "", err
	}
	secret := strings.TrimSpace(string(text))
	if secret == "" {
		return "", protocol.Errorf(protocol.Usage, "%s holds no secret", path)
	}
	return secret, nil
}

// waiting tells why the server does not listen yet.
func (a *app) waiting(err error) {
	if !a.flags.quiet {
		fmt.Fprintf(a.streams.Err, "waiting for the store: %s\n", visible(err.Error()))
	}
}

// announce tells where the server listens, as soon as it does: with --json as the one object on
// stdout, which scripts read to learn the port.
func (a *app) announce(addr net.Addr) {
	at := listeningReport{Addr: addr.String(), URL: "http://" + addr.String() + "/mcp/", Web: "http://" + reachable(addr) + "/"}
	if a.flags.json {
		a.report = at
		if object, err := a.object(nil); err == nil {
			fmt.Fprintf(a.streams.Out, "%s\n", object)
		}
		return
	}
	if !a.flags.quiet {
		fmt.Fprintf(a.streams.Err, "agents: %s\nweb app: %s (open it in a browser)\nstop with Ctrl-C\n", at.URL, at.Web)
	}
}

type listeningReport struct {
	Addr string `json:"addr"`
	URL  string `json:"url"` // of MCP
	Web  string `json:"web"`
}

// reachable is an address that a browser on this machine can open: a wildcard is
// none.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
}

func (listeningReport) show(*printer) {}

// logger writes what a server has to say beside its work.
func (a *app) logger() *slog.Logger {
	out := a.streams.Err
	if a.flags.quiet {
		out = io.Discard
	}
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

func toolsFlag(cmd *cobra.Command, tools *string) {
	names := profileNames()
	cmd.Flags().StringVar(tools, "tools", string(mcpserver.All),
		"offer the `PROFILE` of tools: session (what an agent of a session needs), core or all")
	if err := cmd.RegisterFlagCompletionFunc("tools", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was defined a line above
	}
}

func profileNames() []string {
	var names []string
	for _, p := range mcpserver.Profiles() {
		names = append(names, string(p))
	}
	return names
}

func profileOf(cmd *cobra.Command, name string) (mcpserver.Profile, error) {
	if p, ok := mcpserver.ParseProfile(name); ok && name != "" {
		return p, nil
	}
	return "", usageFor(cmd, "there is no profile %q, only session, core and all", name)
}
