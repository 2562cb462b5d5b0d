package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkStartup compares `brenner version` with a program that only says hello, in turns, and
// reports the ratio of their median times. It has to stay below 6.
func BenchmarkStartup(b *testing.B) {
	dir := b.TempDir()
	hello := filepath.Join(dir, "hello")
	files := map[string]string{
		"main.go": "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n",
		"go.mod":  "module hello\n\ngo 1.26\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	build(b, dir, hello, ".")
	program := filepath.Join(dir, "brenner")
	build(b, ".", program, ".")

	var hellos, versions []time.Duration
	for b.Loop() {
		hellos = append(hellos, run(b, hello))
		versions = append(versions, run(b, program, "version"))
	}
	b.ReportMetric(median(versions).Seconds()*1e3, "ms/version")
	b.ReportMetric(median(hellos).Seconds()*1e3, "ms/hello")
	b.ReportMetric(float64(median(versions))/float64(median(hellos)), "×hello")
}

func build(b *testing.B, dir, out, pkg string) {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), "go", "build", "-o", out, pkg)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, text)
	}
}

func run(b *testing.B, program string, args ...string) time.Duration {
	b.Helper()
	begin := time.Now()
	if err := exec.CommandContext(b.Context(), program, args...).Run(); err != nil {
		b.Fatal(err)
	}
	return time.Since(begin)
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
