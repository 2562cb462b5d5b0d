package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/spf13/cobra"
)

// version is the release this is, or the one being worked on; revision is the commit it was built
// from, if the build was told. The release sets both with -ldflags -X.
var (
	version  = "0.1.0-dev"
	revision string
)

func newVersion(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  brenner version --json",
		Args:    exactly(),
	}, func(context.Context, []string) (report, error) { return currentVersion(), nil })
}

type versionReport struct {
	Version  string  `json:"version"`
	Revision *string `json:"revision"` // of the repository it was built from; null if unknown
	Go       string  `json:"go"`
	Platform string  `json:"platform"`
}

func currentVersion() versionReport {
	r := versionReport{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if revision != "" {
		r.Revision = &revision
		return r
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return r
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			r.Revision = &s.Value
		}
	}
	return r
}

// build names the version, and of a development version the program itself: two builds of the same commit may differ, and
// write different reports.
func (r versionReport) build() string {
	if !strings.HasSuffix(r.Version, "-dev") {
		return r.Version
	}
	return r.Version + "+" + executableHash()
}

// executableHash tells one build of this program from another; it is empty where the program cannot read itself.
var executableHash = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
})

func (r versionReport) show(p *printer) {
	commit := ""
	if r.Revision != nil {
		const short = 12
		commit = "commit " + (*r.Revision)[:min(short, len(*r.Revision))] + ", "
	}
	p.print("brenner %s (%s%s, %s)\n", r.Version, commit, r.Go, r.Platform)
	p.next("brenner", "help")
}
