// Package clipboard puts text on the clipboard of a desktop and takes it from there, with the programs that the system has for it.
package clipboard

import (
	"bytes"
	"context"
	"os/exec"
	"runtime"
	"strings"

	"brenner/internal/protocol"
)

// Clipboard is a clipboard that there is.
type Clipboard struct{ copy, paste []string }

// tool is a pair of programs, and the variable that says that they have a desktop to work on.
type tool struct {
	system, desktop string // empty: any
	Clipboard
}

var tools = []tool{
	{"darwin", "", Clipboard{[]string{"pbcopy"}, []string{"pbpaste"}}},
	{"windows", "", Clipboard{[]string{"clip.exe"}, []string{"powershell.exe", "-NoProfile", "-Command", "Get-Clipboard -Raw"}}},
	{"", "WAYLAND_DISPLAY", Clipboard{[]string{"wl-copy"}, []string{"wl-paste", "--no-newline"}}},
	{"", "DISPLAY", Clipboard{[]string{"xclip", "-selection", "clipboard"}, []string{"xclip", "-selection", "clipboard", "-out"}}},
	{"", "DISPLAY", Clipboard{[]string{"xsel", "--clipboard", "--input"}, []string{"xsel", "--clipboard", "--output"}}},
	{"", "WSL_DISTRO_NAME", Clipboard{[]string{"clip.exe"}, []string{"powershell.exe", "-NoProfile", "-Command", "Get-Clipboard -Raw"}}},
}

// Find finds the clipboard of this desktop. NOT_FOUND: there is none, or no program for it.
func Find(getenv func(string) string) (*Clipboard, error) {
	for i := range tools {
		t := &tools[i]
		if t.system != "" && t.system != runtime.GOOS || t.desktop != "" && getenv(t.desktop) == "" {
			continue
		}
		if _, err := exec.LookPath(t.copy[0]); err != nil {
			continue
		}
		if _, err := exec.LookPath(t.paste[0]); err == nil {
			return &t.Clipboard, nil
		}
	}
	return nil, protocol.Errorf(protocol.NotFound,
		"there is no clipboard here that a program reaches: wl-clipboard, xclip and xsel are such programs")
}

// Copy puts a text on the clipboard.
func (c *Clipboard) Copy(ctx context.Context, text string) error {
	cmd := exec.CommandContext(ctx, c.copy[0], c.copy[1:]...)
	cmd.Stdin = strings.NewReader(text) // and no pipe to wait for: some of them stay to hand the text out
	if err := cmd.Run(); err != nil {
		return protocol.Errorf(protocol.Unreadable, "%s could not take the text: %w", c.copy[0], err)
	}
	return nil
}

// Paste takes the text on the clipboard.
func (c *Clipboard) Paste(ctx context.Context) (string, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, c.paste[0], c.paste[1:]...)
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return "", protocol.Errorf(protocol.Unreadable, "%s could not give the text: %w", c.paste[0], err)
	}
	return strings.ToValidUTF8(out.String(), "\ufffd"), nil
}
