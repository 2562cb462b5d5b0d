//go:build linux

package proctree_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"brenner/internal/proctree"
)

// family starts a program that leaves behind what is hard to end: a child that ignores every polite
// signal, one in a session of its own whose parent is gone, one that is stopped. It returns its
// process id once all have said theirs.
func family(t *testing.T, mark string) (root int, all []int) {
	t.Helper()
	const script = `trap '' HUP TERM INT
echo $$
sh -c 'trap "" HUP TERM INT; echo $$; while :; do sleep 1; done' &
setsid sh -c 'sh -c "trap \"\" HUP TERM; echo \$\$; while :; do sleep 1; done" & exit 0'
sh -c 'echo $$; kill -STOP $$; sleep 60' &
echo ready
wait`
	cmd := exec.Command("sh", "-c", script)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Env = append(os.Environ(), mark+"/child")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, pid := range all {
			_ = syscall.Kill(pid, syscall.SIGKILL) // only if the test failed
		}
		_ = cmd.Wait()
	})
	ready := false
	for lines := bufio.NewScanner(out); (len(all) < 4 || !ready) && lines.Scan(); {
		if lines.Text() == "ready" {
			ready = true
			continue
		}
		pid, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pid)
	}
	return cmd.Process.Pid, all
}

func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	return !strings.HasPrefix(strings.TrimSpace(string(stat[strings.LastIndexByte(string(stat), ')')+1:])), "Z")
}

func TestEndLeavesNobody(t *testing.T) {
	mark := "BRENNER_TEST_MARK=" + t.Name() + strconv.Itoa(os.Getpid())
	root, all := family(t, mark)
	bystander := exec.Command("sleep", "60")
	if err := bystander.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = bystander.Process.Kill(); _ = bystander.Wait() }()

	f := proctree.Family{Roots: []int{root}, Mark: mark}
	members, err := f.Members()
	if err != nil || len(members) < len(all) {
		t.Fatalf("%v, %v; started %v", members, err, all)
	}
	if err := f.End(context.Background(), 300*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	for _, pid := range all {
		if alive(pid) {
			t.Errorf("%d is alive", pid)
		}
	}
	if left, err := f.Members(); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if !alive(bystander.Process.Pid) || !alive(os.Getpid()) {
		t.Error("somebody else was ended")
	}
}

// TestMarkAlone: what a program left behind is found when the program itself is long gone.
func TestMarkAlone(t *testing.T) {
	mark := "BRENNER_TEST_MARK=" + t.Name() + strconv.Itoa(os.Getpid())
	_, all := family(t, mark)
	_ = syscall.Kill(all[0], syscall.SIGKILL)
	f := proctree.Family{Mark: mark}
	if err := f.End(context.Background(), 100*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	for _, pid := range all {
		if alive(pid) {
			t.Errorf("%d is alive", pid)
		}
	}
}

func TestPoliteFirst(t *testing.T) {
	mark := "BRENNER_TEST_MARK=" + t.Name() + strconv.Itoa(os.Getpid())
	file := t.TempDir() + "/said"
	cmd := exec.Command("sh", "-c", `trap 'echo goodbye >"$0"; exit 0' TERM; echo; while :; do sleep 0.05; done`, file)
	cmd.Env = append(os.Environ(), mark)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if err := (proctree.Family{Roots: []int{cmd.Process.Pid}, Mark: mark}).End(context.Background(), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	<-ended
	if said, _ := os.ReadFile(file); string(said) != "goodbye\n" {
		t.Errorf("it was not let say goodbye: %q", said)
	}
}

// TestUsages: a family is measured with its children, and says whether it is stopped.
func TestUsages(t *testing.T) {
	// The test's own context would end the parent before the cleanup could find its child.
	cmd := exec.CommandContext(context.Background(), "sh", "-c", "sh -c 'while :; do :; done'; :")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	family := proctree.Family{Roots: []int{pid}}
	t.Cleanup(func() {
		_ = family.End(context.Background(), 0)
		_ = cmd.Wait()
	})
	usage := func(holds func(proctree.Usage) bool) proctree.Usage {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			all, err := proctree.Usages([]int{pid, 1 << 30})
			if err != nil {
				t.Fatal(err)
			}
			if u := all[pid]; holds(u) {
				return u
			} else if time.Now().After(end) || all[1<<30].Processes != 0 {
				t.Fatalf("%+v", all)
			}
		}
	}
	usage(func(u proctree.Usage) bool { return u.Processes == 2 && u.CPU > 0 && !u.Stopped })
	if n, err := family.Pause(); n != 2 || err != nil {
		t.Errorf("%d processes, %v", n, err)
	}
	usage(func(u proctree.Usage) bool { return u.Stopped })
	if n, err := family.Resume(); n != 2 || err != nil {
		t.Errorf("%d processes, %v", n, err)
	}
	usage(func(u proctree.Usage) bool { return !u.Stopped })
}
