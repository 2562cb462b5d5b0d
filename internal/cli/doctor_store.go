package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	project "brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// integrity lets the store's engine look for damage, and proves every thread of the project. It says no more than what it checked.
func (d *doctor) integrity(ctx context.Context, p *project.App) {
	checker, can := p.Store.(mail.Checker)
	if !can {
		return
	}
	switch found, err := checker.Check(ctx); {
	case err != nil:
		d.fail("integrity", err)
	case len(found) > 0:
		damage := protocol.NewFinding(protocol.StoreUnavailable, "%s", strings.Join(found, "; ")).
			WithFix("stop everything that uses the store, and restore a backup: brenner restore FILE")
		d.fail("integrity", protocol.Errorf(protocol.StoreUnavailable, "the store is damaged: %s", found[0]).
			WithFindings([]protocol.Finding{damage}))
	default:
		d.proved(ctx, p)
	}
}

// proved verifies every thread, artifact and source of the project.
func (d *doctor) proved(ctx context.Context, p *project.App) {
	all, err := p.Sessions.VerifyAll(ctx, nil)
	if err == nil {
		err = newVerifyAllReport(all).failure(all)
	}
	if err != nil {
		d.fail("integrity", err)
		return
	}
	d.ok("integrity", "the engine finds no damage; %s, %s and %s of this project verified", count(len(all.Threads), "thread"),
		count(len(all.Artifacts), "artifact"), count(len(all.Sources), "source"))
}

// modes looks whether others on this machine can read the store: mail and hashes of tokens are private.
func (d *doctor) modes(path string) {
	if runtime.GOOS == "windows" {
		return // it has no modes
	}
	for _, file := range []string{filepath.Dir(path), path, path + "-wal", path + "-shm", path + "-search"} {
		info, err := os.Stat(file)
		if err != nil {
			continue // side files come and go
		}
		mode, want := info.Mode().Perm(), os.FileMode(0o600)
		if info.IsDir() {
			if want = 0o700; filepath.Base(file) != ".brenner" {
				continue // a folder of one's own choice may be shared
			}
		}
		if mode&0o077 != 0 {
			d.warn("modes", fmt.Sprintf("others can use %s (mode %04o)", file, mode), fmt.Sprintf("chmod %o %q", want, file))
			return
		}
	}
	d.ok("modes", "the store is its owner's alone")
}

// agentPrograms looks for the program of each registered agent.
func (d *doctor) agentPrograms(p *project.App, agents []mail.Agent) {
	users := map[string][]string{}
	var names []string
	for i := range agents {
		if a := &agents[i]; a.Program != "" && a.ReceivesFrom(p.Mail.Operator()) {
			names = append(names, a.Program)
			users[a.Program] = append(users[a.Program], a.Name)
		}
	}
	absent := p.Catalog().Absent(names...)
	for _, m := range absent {
		d.warn("agent program", fmt.Sprintf("%s: %s", strings.Join(users[m.Program], ", "), m.Reason()), m.Install)
	}
	slices.Sort(names)
	if found := len(slices.Compact(names)) - len(absent); found > 0 {
		d.ok("agent programs", "%s found", count(found, "program"))
	}
}
