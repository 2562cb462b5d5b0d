package cockpit

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"brenner/internal/atomicfile"
	"brenner/internal/protocol"
)

// launch is what a pane becomes. It goes through a private file: tmux takes only short commands,
// and all users can see the words of a command.
type launch struct {
	Args []string `json:"args"` // the first is the path of the executable
	Env  []string `json:"env"`
	Dir  string   `json:"dir"`
}

// prepare writes the files of a pane and returns the one that Exec takes.
func prepare(folder string, p PanePlan) (string, error) {
	if err := p.Command.WriteFiles(); err != nil {
		return "", err
	}
	executable, err := exec.LookPath(p.Command.Args[0])
	if err == nil {
		executable, err = filepath.Abs(executable)
	}
	if err != nil {
		return "", protocol.Errorf(protocol.ProgramMissing, "%s cannot be started: %w", p.Command.Args[0], err)
	}
	// A tmux server that runs for long knows an old PATH: it is the one of now that counts.
	l := launch{
		Args: append([]string{executable}, p.Command.Args[1:]...), Dir: p.Command.Dir,
		Env: append([]string{"PATH=" + os.Getenv("PATH")}, p.Command.Env...),
	}
	text, err := json.Marshal(l)
	if err != nil {
		return "", protocol.Errorf(protocol.Internal, "%w", err)
	}
	file := filepath.Join(folder, p.Agent, "launch.json")
	if err := atomicfile.Write(file, text, 0o600); err != nil {
		return "", protocol.Errorf(protocol.Unwritable, "cannot write %s: %w", file, err)
	}
	return file, nil
}

// Exec makes this process the program of a pane. It returns only if that fails.
func Exec(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return protocol.Errorf(protocol.NotFound, "the pane has nothing to start: %w", err)
	}
	var l launch
	if err := json.Unmarshal(text, &l); err != nil || len(l.Args) == 0 {
		return protocol.Errorf(protocol.InvalidInput, "%s does not say what to start", file)
	}
	if err := os.Chdir(l.Dir); err != nil {
		return protocol.Errorf(protocol.NotFound, "there is no folder %s: %w", l.Dir, err)
	}
	if err := become(l.Args, merged(os.Environ(), l.Env)); err != nil {
		return protocol.Errorf(protocol.ProgramMissing, "%s cannot be started: %w", l.Args[0], err)
	}
	return nil
}

// merged puts variables over an environment.
func merged(env, over []string) []string {
	for _, v := range over {
		name, _, _ := strings.Cut(v, "=")
		env = slices.DeleteFunc(env, func(old string) bool { return strings.HasPrefix(old, name+"=") })
	}
	return append(env, over...)
}

// privateFolders makes folders below .brenner, which git does not see.
func (c *Cockpit) privateFolders(folders ...string) error {
	for _, folder := range folders {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return protocol.Errorf(protocol.Unwritable, "cannot make %s: %w", folder, err)
		}
	}
	ignore := filepath.Join(c.Project, ".brenner", ".gitignore")
	if _, err := os.Stat(ignore); err == nil {
		return nil
	}
	if err := atomicfile.Write(ignore, []byte("*\n"), 0o600); err != nil {
		return protocol.Errorf(protocol.Unwritable, "cannot write %s: %w", ignore, err)
	}
	return nil
}
