package archtest

// ring is how far out a package lives. Imports point inward only.
type ring int

const (
	vocabulary  ring = iota // words and formats; imports nothing of this module outside its ring
	kernel                  // pure functions over text
	ports                   // the log and the use cases, as interfaces and rules
	adapters                // one outside technology each; never import each other
	composition             // the program
)

// room is a row of the table.
type room struct {
	path    string // below the module
	ring    ring
	imports []string          // packages of this module it may use
	modules []string          // third-party import paths (prefixes) that it owns
	impure  map[string]string // standard packages denied to its ring, each with the reason why it may use them
	suite   bool              // holds tests that others run: may use what tests may
}

// rooms is the plan. Rows for rooms that are not built yet are welcome.
var rooms = []room{
	{path: "pattern", ring: vocabulary, impure: map[string]string{"sync": onFirstUse}},
	{
		path: "protocol", ring: vocabulary, modules: []string{"github.com/mozillazg/go-unidecode"},
		impure: map[string]string{"sync": onFirstUse},
	},
	{path: "canon", ring: vocabulary, modules: []string{"github.com/gowebpki/jcs"}},
	{path: "yamltext", ring: vocabulary, modules: []string{"go.yaml.in/yaml/v3"}},
	{path: "strictjson", ring: vocabulary, modules: []string{"github.com/go-json-experiment/json/jsontext"}},
	{path: "quantity", ring: vocabulary, imports: []string{"textnorm"}},
	{path: "kept", ring: vocabulary, imports: []string{"protocol"}},
	{path: "textnorm", ring: vocabulary, modules: []string{"golang.org/x/text/unicode/norm"}},

	{
		path: "markup", ring: kernel, imports: []string{"protocol"}, modules: []string{"github.com/yuin/goldmark"},
		impure: map[string]string{"sync": onFirstUse, "sync/atomic": "tests count what is parsed; no result depends on it"},
	},
	{path: "artifact", ring: kernel, imports: []string{"protocol", "canon"}},
	{
		path: "artifact/delta", ring: kernel, imports: []string{"protocol", "kept", "quantity", "strictjson", "markup", "artifact"},
		modules: []string{"github.com/go-json-experiment/json"}, // as the yardstick of its benchmarks
		impure:  map[string]string{"sync": "a pool of decoders, each reset before use; no result depends on it"},
	},
	{path: "artifact/delta/repair", ring: kernel, imports: []string{"protocol", "strictjson", "markup", "artifact", "artifact/delta"}},
	{
		// repairs in its tests
		path: "message", ring: kernel, imports: []string{"protocol", "strictjson", "textnorm", "markup", "artifact", "artifact/delta",
			"artifact/delta/repair"},
		impure: map[string]string{"net/url": "takes the link to an artifact apart; nothing is opened"},
	},
	{path: "similar", ring: kernel},
	{path: "journal", ring: kernel, imports: []string{"protocol", "canon", "markup", "artifact", "artifact/delta", "message"},
		modules: []string{"golang.org/x/mod/sumdb/tlog"}},
	{path: "artifact/merge", ring: kernel, imports: []string{"protocol", "canon", "kept", "markup", "artifact", "artifact/delta", "message",
		"similar"}},
	{path: "study", ring: kernel, imports: []string{
		"protocol", "quantity", "textnorm", "artifact", "artifact/merge", "artifact/lint", "message", "science", "figure",
	}},
	{path: "science", ring: kernel, imports: []string{"protocol", "quantity", "textnorm", "artifact", "artifact/delta", "artifact/merge",
		"message"}},
	{path: "artifact/merge/mergetest", ring: kernel, imports: []string{"protocol", "artifact", "message"}, suite: true},
	{
		path: "artifact/markdown", ring: kernel, imports: []string{"protocol", "canon", "yamltext", "strictjson", "markup", "artifact"},
		impure: map[string]string{"sync": onFirstUse},
	},
	{
		path: "artifact/lint", ring: kernel, imports: []string{"protocol", "markup", "artifact", "artifact/markdown", "evidence",
			"genealogy", "transcript"},
		modules: []string{"github.com/owenrumney/go-sarif/v3"}, // as the oracle of its tests
		impure:  map[string]string{"net/url": "writes the address of an artifact; nothing is opened"},
	},
	{path: "artifact/diff", ring: kernel, imports: []string{"protocol", "artifact"}},
	{path: "genealogy", ring: kernel, imports: []string{"protocol", "artifact", "genealogy/draw"}}, // drawings in its tests
	{path: "genealogy/draw", ring: kernel, imports: []string{"protocol", "artifact", "genealogy"}},
	{path: "textdiff", ring: kernel, modules: []string{"github.com/aymanbagabas/go-udiff"}},
	{path: "figure", ring: kernel},
	{path: "prompt", ring: kernel, imports: []string{"protocol", "markup", "artifact", "message"}},
	{path: "transcript", ring: kernel, imports: []string{"protocol", "markup"}},
	{path: "liveness", ring: kernel, imports: []string{"protocol"}},
	{
		path: "literature", ring: kernel, imports: []string{"protocol", "pattern", "textnorm"},
		modules: []string{"golang.org/x/text/encoding/charmap"},
		impure:  map[string]string{"net/url": "reads and writes the address of a DOI; nothing is opened"},
	},
	{path: "arithmetic", ring: kernel},
	{path: "dispute", ring: kernel, imports: []string{"protocol", "quantity", "textnorm", "yamltext", "literature", "markup", "message",
		"science"}},
	{path: "dispute/gallery", ring: composition, imports: []string{"protocol", "dispute", "dispute/play", "atomicfile", "app"}},
	{path: "dispute/play", ring: composition, imports: []string{
		"protocol", "artifact", "dispute", "evidencepack", "message", "science", "fold", "mail", "session", "runner", "app",
	}},
	{path: "disputes", ring: vocabulary}, // files that are compiled in
	{path: "evidence", ring: kernel, imports: []string{"arithmetic", "protocol", "strictjson", "textnorm", "markup", "artifact",
		"literature", "transcript"}},

	{
		path: "fold", ring: kernel, imports: []string{
			"protocol", "canon", "kept", "markup", "artifact", "artifact/delta", "artifact/merge", "message", "science",
		},
		impure: map[string]string{"sync": "an artifact is hashed, and a kept version read, once and when it is asked for"},
	},

	{path: "ahead", ring: ports}, // goroutines for what is read in order
	// import and export in its tests
	{path: "mail", ring: ports, imports: []string{"protocol", "canon", "markup", "artifact", "artifact/delta", "message", "journal", "fold",
		"mail/transfer"}},
	{path: "mail/planner", ring: ports, imports: []string{"protocol", "canon", "message", "journal", "mail"}},
	{path: "mail/transfer", ring: ports, imports: []string{"ahead", "protocol", "canon", "strictjson", "message", "mail"}},
	{path: "mail/mailtest", ring: ports, imports: []string{"protocol", "canon", "artifact", "artifact/delta", "message", "journal", "fold",
		"mail", "mail/transfer"}, suite: true},
	{path: "mail/memory", ring: ports, imports: storeImports}, // the model of a store; no technology outside
	{path: "audit", ring: ports, imports: []string{"protocol", "mail"}},
	{path: "session/live", ring: ports, imports: []string{"protocol", "canon", "fold", "mail"}},
	{path: "lru", ring: ports}, // the one cache, used by session and by adapters
	{path: "session", ring: ports, imports: []string{"session/live", "lru", "ahead", "fold",
		"protocol", "canon", "markup", "artifact", "artifact/delta", "artifact/merge", "artifact/markdown", "artifact/lint",
		"artifact/diff", "artifact/delta/repair", "message", "genealogy", "prompt", "transcript", "evidence", "liveness", "quantity",
		"science", "mail", "mail/transfer",
	}},
	// the words of the terminal, for actions
	{path: "commandline", ring: ports, imports: []string{"protocol"}},
	// what can be asked of a session, declared once
	{path: "usecase", ring: ports, imports: []string{"protocol", "artifact", "artifact/delta", "artifact/diff", "artifact/lint",
		"artifact/markdown", "evidence", "science", "fold", "mail", "session"}},
	{path: "atomicfile", ring: ports},                                             // a tool of several adapters, so it lives below them
	{path: "projectfs", ring: ports, imports: []string{"protocol", "atomicfile"}}, // so does this one
	{path: "termtext", ring: ports, modules: []string{"golang.org/x/text/width"}}, // a tool of two surfaces
	{path: "mcpclient", ring: ports, imports: []string{"protocol"}},               // so does this one

	{path: "store/membersql", ring: ports, imports: []string{"protocol", "mail"}},                   // a question of two engines
	{path: "store/commitqueue", ring: ports, imports: []string{"protocol", "mail", "mail/planner"}}, // a tool of two engines
	{path: "store/sqlite", ring: adapters, imports: engineImports, modules: []string{"modernc.org/sqlite"}},
	{path: "store/postgres", ring: adapters, imports: engineImports, modules: []string{"github.com/jackc/pgx/v5"}},
	{path: "store/postgres/pgtest", ring: adapters, imports: []string{"needs"}, suite: true},
	{path: "turn", ring: ports},
	{path: "needs", ring: ports, suite: true},
	{path: "store/foreign/foreigntest", ring: adapters, suite: true}, // another program's server: it shares nothing with us
	{path: "store/foreign", ring: adapters, imports: append([]string{"mcpclient"}, storeImports...)},
	{path: "mcpserver", ring: adapters, imports: append([]string{"lru"}, surfaceImports...),
		modules: []string{"github.com/modelcontextprotocol/go-sdk", "github.com/google/jsonschema-go"}},
	{path: "teamcheck", ring: adapters, imports: []string{"protocol"}},
	{path: "server", ring: adapters, imports: []string{"protocol", "canon", "mail", "audit"}, modules: []string{"golang.org/x/time/rate"}},
	{path: "api", ring: adapters, imports: append([]string{"audit"}, surfaceImports...)},
	{path: "web", ring: adapters, imports: append([]string{"commandline", "transcript", "genealogy/draw", "turn", "figure", "study",
		"textdiff", "lru", "quantity"}, surfaceImports...)},
	{path: "gitrepo", ring: adapters, imports: []string{"protocol", "atomicfile"}},
	{path: "hypertext", ring: ports, imports: []string{"literature"}, modules: []string{"golang.org/x/net/html"}},
	{path: "evidencepack", ring: adapters, imports: []string{"protocol", "yamltext", "evidence", "literature", "hypertext", "atomicfile",
		"lru", "projectfs"}},
	{path: "command", ring: adapters, imports: []string{"protocol"}},
	{path: "beads", ring: adapters, imports: []string{"protocol"}},
	{path: "backup", ring: adapters, imports: storeImports},
	{path: "config", ring: adapters, imports: []string{"protocol", "canon", "yamltext", "atomicfile", "projectfs"},
		modules: []string{"github.com/evanw/esbuild", "github.com/dop251/goja"}},
	{path: "program", ring: adapters, imports: []string{"protocol", "atomicfile"}},
	{path: "clipboard", ring: adapters, imports: []string{"protocol"}},
	{path: "keyboard", ring: adapters, imports: []string{"termtext"}, modules: []string{"golang.org/x/sys"}},
	{path: "tmux", ring: adapters, imports: []string{"protocol"}},
	{path: "notify", ring: adapters, imports: []string{"protocol"}},
	{path: "proctree", ring: adapters, imports: []string{"protocol"}},
	{path: "process", ring: adapters},
	{path: "study/studytest", ring: kernel, imports: []string{"protocol", "artifact", "artifact/merge", "message", "science", "study"},
		suite: true},
	{path: "report", ring: adapters, imports: []string{"protocol", "artifact", "evidence", "literature", "science", "figure", "study"}},
	{path: "crate", ring: adapters, imports: []string{"protocol", "strictjson"},
		modules: []string{"github.com/hiddeco/sshsig", "golang.org/x/crypto/ssh"}},
	{path: "witness", ring: composition, imports: []string{"protocol", "strictjson", "journal", "mail", "crate", "gitrepo", "timestamp",
		"atomicfile"}},
	{path: "timestamp", ring: adapters, imports: []string{"protocol"},
		modules: []string{"github.com/digitorus/timestamp", "github.com/digitorus/pkcs7"}},
	{path: "connect", ring: adapters, imports: []string{"protocol", "atomicfile"}},

	{path: "tui", ring: adapters, imports: terminalImports, modules: []string{"charm.land", "github.com/charmbracelet"}},

	{path: "scripted", ring: composition, imports: []string{"protocol", "artifact/delta/repair", "message", "mail", "mcpclient", "acp"}},
	{path: "acp", ring: adapters, imports: []string{"protocol"}, modules: []string{"github.com/coder/acp-go-sdk"}},

	{path: "worktree", ring: composition, imports: []string{"protocol", "session", "projectfs", "gitrepo"}},
	{path: "cockpit", ring: composition, imports: []string{
		"protocol", "liveness", "prompt", "mail", "session", "atomicfile", "process", "program", "proctree", "tmux",
	}},
	{path: "dossier", ring: composition, imports: []string{
		"hypertext", "protocol", "yamltext", "strictjson", "markup", "artifact", "artifact/markdown", "message", "science", "evidence",
		"literature", "transcript", "mail",
		"mail/transfer", "session", "crate", "evidencepack", "figure", "report", "study", "journal", "witness",
	}},
	{path: "operator", ring: composition, imports: []string{
		"protocol", "commandline", "liveness", "message", "mail", "session", "cockpit", "notify", "process", "proctree", "runner", "tmux",
	}},
	{path: "app", ring: composition, imports: []string{"..."}},
	{path: "demo", ring: composition, imports: []string{"..."}},
	{path: "runner", ring: composition, imports: []string{
		"protocol", "artifact", "artifact/delta", "message", "prompt", "fold", "mail", "session", "atomicfile",
		"process", "proctree", "program", "turn",
	}},
	{path: "cli", ring: composition, imports: []string{"..."}, modules: []string{"github.com/spf13/cobra", "github.com/spf13/pflag",
		"golang.org/x/term"}},
	{path: "teamtest", ring: composition, imports: []string{"mail", "message", "protocol", "app", "cli", "needs", "store/postgres/pgtest"}},
	{path: "lawtest", ring: composition, imports: []string{"app", "cli", "markup", "usecase"}},
	{path: "archtest", ring: composition},
	// the public package
	{path: "brenner", ring: composition, imports: []string{"app", "artifact/lint", "artifact/markdown", "mail", "message", "protocol",
		"session", "brenner"}},
	{path: "cmd/brenner", ring: composition, imports: []string{"cli"}},
}

// everywhere lists what every package may import.
var everywhere = []string{"pattern"}

// onFirstUse is why a pure package may use sync.OnceValue.
const onFirstUse = "tables, templates and patterns are made when they are first used; no result depends on when"

var storeImports = []string{"protocol", "canon", "message", "journal", "mail", "mail/planner", "mail/transfer", "atomicfile"}

// engineImports is that, and what engines with transactions share.
var engineImports = append([]string{"store/commitqueue", "store/membersql"}, storeImports...)

// surfaceImports is what a surface works with: the use cases and the words they speak. It
// holds no rule of the protocol.
var surfaceImports = []string{
	"protocol", "markup", "artifact", "artifact/delta", "artifact/markdown", "artifact/lint", "artifact/diff",
	"message", "genealogy", "prompt", "evidence", "literature", "liveness", "science", "fold", "mail", "mail/transfer", "session",
	"usecase",
}

// terminalImports is that, and what a terminal needs.
var terminalImports = append([]string{"termtext", "commandline"}, surfaceImports...)

// testModules may be imported by the tests of any package, and by nothing else.
var testModules = []string{
	"github.com/google/go-cmp",
	"github.com/rogpeppe/go-internal",
	"pgregory.net/rapid",
	"go.uber.org/goleak",
}

// deniedToPure are the standard packages that rings 0 and 1 do without: they reach outside
// the process, or make results depend on more than the arguments.
var deniedToPure = []string{
	"os", "net", "syscall", "log", "plugin", "runtime", "unsafe", "io/ioutil", "path/filepath",
	"math/rand", "crypto/rand", "sync", "testing", "flag", "expvar", "database", "context",
}

// deniedCalls are the functions and variables of package time that read the clock, wait,
// or look at the machine's time zone.
var deniedCalls = []string{
	"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Local", "LoadLocation",
}

// deniedNames say nothing about what is inside.
var deniedNames = []string{"util", "utils", "common", "helper", "helpers", "types", "misc", "base", "shared"}
