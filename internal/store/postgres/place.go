package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// defaultSchema is where a store lives unless its address says otherwise.
const defaultSchema = "brenner"

// connectTimeout bounds the making of a connection unless the address does.
const connectTimeout = 5 * time.Second

// place is where a store lives: a schema of a database.
type place struct {
	config *pgxpool.Config
	schema string

	// Behind a pooler in transaction mode a connection has no state of its own: no settings, no prepared
	// statements, no LISTEN. The role has the settings, and the listener goes to the server itself.
	pooled   bool
	listener string // host:port
}

var schemaName = pattern.Lazy(`^[A-Za-z_][A-Za-z0-9_]{0,62}$`)

// parsePlace reads an address. The schema is given as schema=NAME or as search_path=NAME.
func parsePlace(dsn string) (place, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return place{}, protocol.Errorf(protocol.Usage, "the address of the store cannot be read: %s", reasonOf(err))
	}
	params := config.ConnConfig.RuntimeParams
	p := place{config: config, schema: defaultSchema}
	for _, key := range []string{"search_path", "schema"} {
		if name := params[key]; name != "" {
			p.schema = strings.Trim(name, `"`)
		}
		delete(params, key)
	}
	if err := p.parsePooler(params); err != nil {
		return place{}, err
	}
	if !schemaName().MatchString(p.schema) || strings.HasPrefix(p.schema, "pg_") || p.schema == "information_schema" {
		return place{}, protocol.Errorf(protocol.Usage,
			"schema %q: the address names one schema, of at most 63 letters, digits and _, that is not one of PostgreSQL's own", p.schema)
	}
	if !p.pooled {
		params["search_path"] = p.quoted()
		// Every query has its index. Plans are made while tables are small and kept when they have
		// grown: without this they would go on reading whole tables until statistics are taken.
		params["enable_seqscan"] = "off"
		params["jit"] = "off" // queries are short
	}
	if params["application_name"] == "" {
		params["application_name"] = "brenner"
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	return p, nil
}

// parsePooler reads pooler=transaction and listener=HOST:PORT.
func (p *place) parsePooler(params map[string]string) error {
	mode := params["pooler"]
	p.listener = params["listener"]
	delete(params, "pooler")
	delete(params, "listener")
	if mode == "" && p.listener == "" {
		return nil
	}
	host, port, err := net.SplitHostPort(p.listener)
	if number, wrong := strconv.ParseUint(port, 10, 16); mode != "transaction" || err != nil || wrong != nil || host == "" || number == 0 {
		return protocol.Errorf(protocol.Usage,
			"behind a pooler write pooler=transaction&listener=HOST:PORT: events are heard on a connection to the server itself")
	}
	p.pooled = true
	// Each statement is on its own: the next one may reach another connection of the server.
	p.config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	p.config.ConnConfig.StatementCacheCapacity, p.config.ConnConfig.DescriptionCacheCapacity = 0, 0
	return nil
}

// checkRole demands of a role behind a pooler the settings that other connections make for themselves. Without the last three a
// statement is compiled for tenths of a second, reads whole tables, or is answered before it is on disk.
func (p place) checkRole(ctx context.Context, conn *pgx.Conn) error {
	if !p.pooled {
		return nil
	}
	var path, jit, seqscan, commit string
	err := conn.QueryRow(ctx, "SELECT current_setting('search_path'), current_setting('jit'), current_setting('enable_seqscan'), "+
		"current_setting('synchronous_commit')").
		Scan(&path, &jit, &seqscan, &commit)
	switch {
	case err != nil:
		return err
	case strings.Trim(path, `"`) != p.schema:
		return p.roleLacks("search_path", path, p.quoted())
	case jit != "off":
		return p.roleLacks("jit", jit, "off")
	case seqscan != "off":
		return p.roleLacks("enable_seqscan", seqscan, "off")
	case commit == "off":
		return p.roleLacks("synchronous_commit", commit, "on")
	}
	return nil
}

func (p place) roleLacks(setting, value, wanted string) error {
	return protocol.Errorf(protocol.Usage, "behind a pooler in transaction mode the role has the settings, and its %s is %s: "+
		"run deploy/postgresql/roles.sql, or ALTER ROLE … SET %s = %s", setting, value, setting, wanted)
}

// direct returns the settings of the connection that listens.
func (p place) direct() *pgx.ConnConfig {
	config := p.session(nil)
	if p.pooled {
		host, port, _ := net.SplitHostPort(p.listener) // it was read before
		number, _ := strconv.ParseUint(port, 10, 16)
		config.Host, config.Port, config.Fallbacks = host, uint16(number), nil
	}
	return config
}

// reasonOf says what is wrong with an address without repeating it: it may hold a password.
func reasonOf(err error) string {
	if parse, ok := errors.AsType[*pgconn.ParseConfigError](err); ok {
		if cause := parse.Unwrap(); cause != nil {
			return cause.Error()
		}
	}
	return "it is not of the form postgres://user@host:port/database"
}

// quoted is the schema as SQL names it.
func (p place) quoted() string { return pgx.Identifier{p.schema}.Sanitize() }

// pool returns the settings of the connections that read.
func (p place) pool(o Options) *pgxpool.Config {
	config := p.config.Copy()
	if o.Readers > 0 {
		config.MaxConns = int32(o.Readers)
	}
	config.PingTimeout = connectTimeout
	if !p.pooled {
		config.ConnConfig.RuntimeParams["lock_timeout"] = milliseconds(o.LockTimeout)
		config.ConnConfig.RuntimeParams["statement_timeout"] = milliseconds(o.StatementTimeout)
	}
	return config
}

// session returns the settings of one more connection.
func (p place) session(params map[string]string) *pgx.ConnConfig {
	config := p.config.ConnConfig.Copy()
	if !p.pooled {
		maps.Copy(config.RuntimeParams, params)
	}
	return config
}

// String is the place for a person, without secrets.
func (p place) String() string {
	return fmt.Sprintf("postgres://%s/%s?schema=%s", strings.Join(p.hosts(), ","), p.config.ConnConfig.Database, p.schema)
}

// hosts are the servers that the address names.
func (p place) hosts() []string {
	c := p.config.ConnConfig
	hosts := []string{net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))}
	for _, f := range c.Fallbacks {
		if host := net.JoinHostPort(f.Host, strconv.Itoa(int(f.Port))); !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// milliseconds is a duration as a setting of the server.
func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
