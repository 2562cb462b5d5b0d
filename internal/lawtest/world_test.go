package lawtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"brenner/internal/app"
	"brenner/internal/cli"
)

// world is a project in a folder, with a server for it.
type world struct {
	t   *testing.T
	dir string
	url string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	project, err := app.FindProject(t.Context(), w.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	opened, err := app.Open(t.Context(), app.Options{Project: project})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	addr, ended := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		ended <- opened.Serve(ctx, app.ServeOptions{Addr: "127.0.0.1:0", Lab: true, Listening: func(a net.Addr) { addr <- a }})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("serve: %v", err)
		}
		if err := opened.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	select {
	case a := <-addr:
		w.url = "http://" + a.String()
	case err := <-ended:
		t.Fatalf("serve: %v", err)
	}
	return w
}

func (w *world) keep(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// cli runs a command in the project. An argument that names a kept file is read from there.
func (w *world) cli(args ...string) answer {
	var out bytes.Buffer
	for i, arg := range args {
		if path := filepath.Join(w.dir, arg); arg != "" && !strings.HasPrefix(arg, "-") && isFile(path) {
			args[i] = path
		}
	}
	streams := cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out, Getenv: func(string) string { return "" }}
	code := cli.Run(w.t.Context(), append([]string{"--project", w.dir}, args...), streams)
	return answer{code, out.String()}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func (w *world) must(args ...string) {
	w.t.Helper()
	if got := w.cli(args...); got.code != 0 {
		w.t.Fatalf("%v: exit %d: %s", args, got.code, got.text)
	}
}

// mcp calls a tool without a session, as simple clients do. The answer is the whole result.
func (w *world) mcp(tool, arguments string) answer {
	call := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
	return w.http(http.MethodPost, "/mcp/", call, "application/json, text/event-stream")
}

// api asks "METHOD PATH [BODY]" below /api/v1.
func (w *world) api(question string) answer {
	parts := strings.SplitN(question, " ", 3)
	body := ""
	if len(parts) == 3 {
		body = parts[2]
	}
	return w.http(parts[0], "/api/v1"+parts[1], body, "application/json")
}

var (
	unseen = regexp.MustCompile(`(?s)<(script|style|template)\b.*?</(script|style|template)>`)
	tag    = regexp.MustCompile(`<[^>]*>`)
	blank  = regexp.MustCompile(`\s+`)
)

// page returns the words of a page, and behind them its links.
func (w *world) page(path string) answer {
	got := w.http(http.MethodGet, path, "", "text/html")
	links := regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(got.text, -1)
	words := tag.ReplaceAllString(unseen.ReplaceAllString(got.text, " "), " ")
	got.text = blank.ReplaceAllString(html.UnescapeString(words), " ")
	for _, link := range links {
		got.text += "\n" + html.UnescapeString(link[1])
	}
	return got
}

func (w *world) http(method, path, body, accept string) answer {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if method != http.MethodGet {
		req.Header.Set("Origin", w.url)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	var indented bytes.Buffer
	if json.Indent(&indented, text, "", "  ") == nil {
		text = indented.Bytes()
	}
	return answer{resp.StatusCode, string(text)}
}

func number(n int) string { return strconv.Itoa(n) }
