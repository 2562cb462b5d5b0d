package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"brenner/internal/api"
	"brenner/internal/mcpserver"
	"brenner/internal/usecase"
)

// TestUseCasesPage keeps doc/reference/usecases.md equal to the table of use cases.
func TestUseCasesPage(t *testing.T) {
	const page = "../../doc/reference/usecases.md"
	want := usecase.Page()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("doc/reference/usecases.md is out of date; run make docs (-want +got):\n%s", diff)
	}
}

// TestEverythingIsAUseCase: what the table names is there, and everything that is there is in the table.
func TestEverythingIsAUseCase(t *testing.T) {
	told := map[string][]string{}
	for _, o := range usecase.Offers() {
		told["command"] = append(told["command"], usecase.Names(o.Commands)...)
		told["tool"] = append(told["tool"], usecase.Names(o.Tools)...)
		told["route"] = append(told["route"], usecase.Names(o.Routes)...)
		told["page"] = append(told["page"], usecase.Names(o.Pages)...)
		if missing := o.Commands == "" || o.Tools == "" || o.Routes == ""; missing && o.Why == "" {
			t.Errorf("%s: nobody says why it is not offered everywhere", o.What)
		}
	}
	there := map[string][]string{"tool": mcpserver.ToolNames(), "route": api.Addresses(), "page": pages(t)}
	for _, cmd := range commands(newRoot(&app{})) {
		if !cmd.HasSubCommands() || slices.Contains([]string{"run", "acks", "help", "checkpoint"}, cmd.Name()) {
			there["command"] = append(there["command"], strings.TrimPrefix(cmd.CommandPath(), "brenner "))
		}
	}
	for kind := range there {
		for _, name := range there[kind] {
			if !slices.Contains(told[kind], name) {
				t.Errorf("the %s %q is in no use case", kind, name)
			}
		}
		for _, name := range told[kind] {
			if !slices.Contains(there[kind], name) {
				t.Errorf("there is no %s %q", kind, name)
			}
		}
	}
}

// pages lists the addresses of the web app, as its source registers them.
func pages(t *testing.T) []string {
	t.Helper()
	sources, err := filepath.Glob("../web/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, path := range sources {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), `mux.HandleFunc("GET `)[1:] {
			address, _, _ := strings.Cut(part, `"`)
			if address != "/favicon.ico" && address != "/m/{id}/raw" {
				list = append(list, address)
			}
		}
	}
	return list
}

// boundByHand are the commands of declared use cases whose flags are still written by hand: they say more in their help, or read
// files. They have the declared flags, under the declared names.
var boundByHand = []*usecase.Case{usecase.RecordResult.Case, usecase.WithdrawResult.Case, usecase.AnswerCritique.Case,
	usecase.Artifact.Case, usecase.Blame.Case, usecase.Diagnose.Case, usecase.Ask.Case, usecase.HandIn.Case}

// own are flags of a command beside the declared ones: another spelling of who acts, files instead of threads, forms of what is printed,
// the repair that a diagnosis leads to, and how a prompt goes to a chat.
var own = map[string][]string{"compile": {"thread-file"}, "lint": {"format", "strict"}, "diagnose": {"apply"},
	"ask": {"thread", "answer", "via", "dry-run"}}

// TestFlagsAreDeclared holds the commands of declared use cases against their declarations: the same flags, choices and
// words, and no others.
func TestFlagsAreDeclared(t *testing.T) {
	for _, c := range usecase.All() {
		cmd, _, err := newRoot(&app{}).Find(strings.Fields(c.Command))
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, f := range flagsOf(c) {
			flag := cmd.Flags().Lookup(f.Flag)
			place := flag == nil && strings.Contains(cmd.Use, " "+strings.ToUpper(f.Name))
			switch byHand := slices.Contains(boundByHand, c); {
			case place && byHand:
				continue
			case flag == nil:
				t.Errorf("%s has no --%s", c.Command, f.Flag)
			case flag.Usage != flagUsage(f) && !byHand:
				t.Errorf("%s: --%s is %q, declared is %q", c.Command, f.Flag, flag.Usage, flagUsage(f))
			case (f.Kind == usecase.Texts) != (flag.Value.Type() == "stringArray"):
				t.Errorf("%s: --%s is a %s", c.Command, f.Flag, flag.Value.Type())
			}
			want = append(want, f.Flag)
		}
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && f.Name != "from" && !slices.Contains(own[c.Command], f.Name) {
				got = append(got, f.Name)
			}
		})
		slices.Sort(want)
		if !slices.Equal(want, got) {
			t.Errorf("%s has the flags %q, declared are %q", c.Command, got, want)
		}
		for _, f := range c.Fields() {
			if f.Argument != "" && !strings.Contains(cmd.Use, "["+f.Argument) {
				t.Errorf("%s: %q does not take %s", c.Command, cmd.Use, f.Argument)
			}
		}
		if takes := strings.Contains(cmd.Use, "TEST=OUTCOME"); takes != declaresArgs(c) {
			t.Errorf("%s: %q does not take what is declared", c.Command, cmd.Use)
		}
	}
}

func declaresArgs(c *usecase.Case) bool {
	return slices.ContainsFunc(c.Fields(), func(f usecase.Field) bool { return f.Args != "" })
}
