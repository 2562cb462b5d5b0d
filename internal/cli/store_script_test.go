package cli

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"brenner/internal/store/postgres/pgtest"
)

// TestStoreScripts runs the scripts that need a store, on each engine. $OTHER_STORE is another
// empty store of the same engine, $FOREIGN_STORE one of the other engine.
func TestStoreScripts(t *testing.T) {
	file := func(env *testscript.Env, name string) string { return "sqlite:" + filepath.Join(env.WorkDir, name) }
	t.Run("sqlite", func(t *testing.T) {
		testscript.Run(t, scripts(t, storeScripts, func(env *testscript.Env) {
			env.Setenv("ENGINE", "sqlite") // the project's own store: nothing is named
			env.Setenv("OTHER_STORE", file(env, "other.db"))
			env.Setenv("FOREIGN_STORE", pgtest.DSN(t))
		}))
	})
	t.Run("postgres", func(t *testing.T) {
		testscript.Run(t, scripts(t, storeScripts, func(env *testscript.Env) {
			env.Setenv("ENGINE", "postgres")
			env.Setenv("BRENNER_STORE", pgtest.DSN(t))
			env.Setenv("OTHER_STORE", pgtest.DSN(t))
			env.Setenv("FOREIGN_STORE", file(env, "foreign.db"))
		}))
	})
}
