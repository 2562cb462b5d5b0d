package cli

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"brenner/internal/store/postgres/pgtest"
)

// TestStoreScripts runs the scripts that need a store, on each engine. $OWN_STORE is the store they
// use, $OTHER_STORE another empty one of the same engine, $FOREIGN_STORE one of the other engine.
func TestStoreScripts(t *testing.T) {
	file := func(env *testscript.Env, name string) string { return "sqlite:" + filepath.Join(env.WorkDir, name) }
	t.Run("sqlite", func(t *testing.T) {
		testscript.Run(t, scripts(t, storeScripts, func(env *testscript.Env) {
			env.Setenv("ENGINE", "sqlite") // the project's own store: nothing is named
			env.Setenv("OWN_STORE", file(env, ".brenner/brenner.db"))
			env.Setenv("OTHER_STORE", file(env, "other.db"))
			env.Setenv("FOREIGN_STORE", file(env, "foreign.db"))
			if pgtest.Installed() {
				env.Setenv("FOREIGN_STORE", pgtest.DSN(t))
			}
		}))
	})
	t.Run("postgres", func(t *testing.T) {
		pgtest.DSN(t) // or skip
		testscript.Run(t, scripts(t, storeScripts, func(env *testscript.Env) {
			env.Setenv("ENGINE", "postgres")
			own := pgtest.DSN(t)
			env.Setenv("BRENNER_STORE", own)
			env.Setenv("OWN_STORE", own)
			env.Setenv("OTHER_STORE", pgtest.DSN(t))
			env.Setenv("FOREIGN_STORE", file(env, "foreign.db"))
		}))
	})
}
