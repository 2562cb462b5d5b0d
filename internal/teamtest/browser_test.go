package teamtest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"brenner/internal/needs"
)

// browser is a Chromium with one page, driven over its own protocol through a pair of pipes.
type browser struct {
	*lab
	orders  *os.File
	answers *bufio.Reader
	session string // of the page
	last    int    // number of the last order
}

// newBrowser starts Chromium. Without one the result is nil: the rest of the test is worth its time without a browser.
func (l *lab) newBrowser() *browser {
	l.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && program == "" {
			program = path
		}
	}
	if program == "" {
		if needs.Everything() {
			l.Fatal("Chromium is required")
		}
		needs.Note("chromium")
		l.Log("there is no Chromium: the page of a browser is left out")
		return nil
	}
	theirs, orders, err := os.Pipe()
	l.must(err)
	answers, results, err := os.Pipe()
	l.must(err)
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--ignore-certificate-errors", "--remote-debugging-pipe",
		"--user-data-dir="+l.TempDir())
	cmd.ExtraFiles = []*os.File{theirs, results} // 3 and 4
	l.must(cmd.Start())
	theirs.Close()
	results.Close()
	l.Cleanup(func() {
		orders.Close() // it ends when nobody gives orders any more
		end := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		end.Stop()
		answers.Close()
	})
	b := &browser{lab: l, orders: orders, answers: bufio.NewReader(answers)}
	l.must(answers.SetReadDeadline(time.Now().Add(10*time.Minute + *lasts)))
	var made struct{ TargetID, SessionID string }
	l.must(b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &made))
	l.must(b.call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made))
	b.session = made.SessionID
	return b
}

// call gives an order and waits for its answer. What is told meanwhile is passed over.
func (b *browser) call(method string, params map[string]any, to any) error {
	b.last++
	order, err := json.Marshal(map[string]any{"id": b.last, "method": method, "params": params, "sessionId": b.session})
	if err != nil {
		return err
	}
	if b.session == "" {
		order = []byte(strings.Replace(string(order), `,"sessionId":""`, "", 1))
	}
	if _, err := b.orders.Write(append(order, 0)); err != nil {
		return err
	}
	for {
		text, err := b.answers.ReadBytes(0)
		if err != nil {
			return err
		}
		var answer struct {
			ID     int
			Error  *struct{ Message string }
			Result json.RawMessage
		}
		if err := json.Unmarshal(text[:len(text)-1], &answer); err != nil {
			return err
		}
		switch {
		case answer.ID != b.last:
		case answer.Error != nil:
			return errors.New(method + ": " + answer.Error.Message)
		default:
			return json.Unmarshal(answer.Result, to)
		}
	}
}

// holds tells whether an expression is true on the page, now. While it loads nothing is.
func (b *browser) holds(expression string) bool {
	var answer struct{ Result struct{ Value any } }
	err := b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &answer)
	return err == nil && answer.Result.Value == true
}

// open signs in and opens the page of the session, which is then live.
func (b *browser) open(token string) {
	b.Helper()
	b.must(b.call("Page.navigate", map[string]any{"url": b.base + "/t/" + thread}, &struct{}{}))
	b.eventually("the browser was asked for its token", func() bool { return b.holds(`document.querySelector("#token") !== null`) })
	b.holds(fmt.Sprintf(`document.querySelector("#token").value = %q, document.querySelector("#token").form.requestSubmit(), true`, token))
	b.eventually("the browser showed the session", func() bool { return b.holds(`location.pathname === "/t/` + thread + `" && ` + isLive) })
	b.holds(`globalThis.sameDocument = true`)
}

const isLive = `document.querySelector("[data-live]")?.dataset.live === "live"`

// sees waits until the page, which was not loaded again, is live and shows a text.
func (b *browser) sees(text string) {
	b.Helper()
	b.eventually("the page in the browser is live", func() bool { return b.holds(isLive) })
	b.eventually("the page in the browser shows "+text, func() bool {
		return b.holds(fmt.Sprintf(`document.querySelector("main").textContent.includes(%q)`, text))
	})
	if !b.holds(`globalThis.sameDocument === true`) {
		b.Error("the page in the browser was loaded again")
	}
}
