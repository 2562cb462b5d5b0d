package gitrepo

import (
	"bufio"
	"context"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"brenner/internal/protocol"
)

// object is what git says about a name: its id and how long its content is.
type object struct {
	id, kind string
	size     int64
}

// objects answers for one object after the other, by one process (git cat-file --batch-check).
type objects struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (r Repo) objects(ctx context.Context) (*objects, error) {
	cmd := asking(ctx, r.Root, "cat-file", "--batch-check")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, protocol.Errorf(protocol.GitFailed, "git cat-file: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, explain("cat-file", "", err)
	}
	return &objects{cmd, in, bufio.NewReader(out)}, nil
}

// find returns the object of a name such as HEAD:artifacts/T.md or 1234^1. The second result is false if there is none.
func (o *objects) find(name string) (object, bool, error) {
	if strings.ContainsAny(name, "\n\x00") {
		return object{}, false, nil // it could not be asked for in one line
	}
	if _, err := io.WriteString(o.in, name+"\n"); err != nil {
		return object{}, false, protocol.Errorf(protocol.GitFailed, "git cat-file: %w", err)
	}
	line, err := o.out.ReadString('\n')
	if err != nil {
		return object{}, false, protocol.Errorf(protocol.GitFailed, "git cat-file: %w", err)
	}
	words := strings.Fields(strings.TrimPrefix(line, name))
	if len(words) != 3 {
		return object{}, false, nil // missing or ambiguous
	}
	size, err := strconv.ParseInt(words[2], 10, 64)
	return object{words[0], words[1], size}, err == nil, nil
}

// close ends the process.
func (o *objects) close() {
	o.in.Close()
	_ = o.cmd.Wait()
}

// lastChange returns the commit that gave a file its content in HEAD: of a commit's parents the first that has the same content is
// followed, as git log follows it. The second object is the content; nothing is found before the first commit, or if HEAD has no such file.
func (o *objects) lastChange(path string) (commit string, content object, err error) {
	head, found, err := o.find("HEAD^{commit}")
	if err != nil || !found {
		return "", object{}, err
	}
	content, found, err = o.find(head.id + ":" + path)
	if err != nil || !found || content.kind != "blob" {
		return "", object{}, err
	}
	commit = head.id
	for {
		parent, err := o.parentWith(commit, path, content.id)
		if err != nil || parent == "" {
			return commit, content, err
		}
		commit = parent
	}
}

// parentWith returns the first parent of a commit in which path has the content, empty if there is none.
func (o *objects) parentWith(commit, path, content string) (string, error) {
	for n := 1; ; n++ {
		parent, found, err := o.find(commit + "^" + strconv.Itoa(n))
		if err != nil || !found {
			return "", err
		}
		before, found, err := o.find(parent.id + ":" + path)
		if err != nil || found && before.id == content {
			return parent.id, err
		}
	}
}
