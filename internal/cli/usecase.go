package cli

import (
	"context"
	"errors"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/protocol"
	"brenner/internal/usecase"
)

// asking makes the command of a declared use case: its flags come from the declaration, its arguments are the thread and what
// the declaration calls arguments. What the answer looks like on a terminal is the command's own.
func asking[Request, Answer any](a *app, cmd *cobra.Command, c usecase.Typed[Request, Answer], show func(Answer) report) *cobra.Command {
	in := new(Request)
	bind(a, cmd, c.Case, reflect.ValueOf(in).Elem())
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		fill(c.Case, reflect.ValueOf(in).Elem(), args)
		return a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
			thread := threadOf(c.Case, reflect.ValueOf(in).Elem())
			var err error
			if takes, _ := takesThread(cmd); !takes { // a flag names it: an argument was looked up before
				if thread, err = threadNamed(ctx, p, thread); err != nil {
					return nil, err
				}
			}
			at, err := c.At(ctx, p.Sessions, thread)
			if err != nil {
				return nil, err
			}
			answer, err := c.Do(ctx, at, *in)
			if err != nil {
				return nil, worded(cmd, err)
			}
			return show(answer), nil
		})(ctx, args)
	})
}

// bind gives a command the flags of a request.
func bind(a *app, cmd *cobra.Command, c *usecase.Case, in reflect.Value) {
	flags := cmd.Flags()
	for _, f := range flagsOf(c) {
		to, usage := in.Field(f.Index).Addr().Interface(), flagUsage(f)
		switch f.Kind {
		case usecase.Text:
			flags.StringVar(to.(*string), f.Flag, strings.Join(f.Choices[:min(1, len(f.Choices))], ""), usage)
		case usecase.Texts:
			flags.StringArrayVar(to.(*[]string), f.Flag, nil, usage)
		case usecase.Number:
			flags.IntVar(to.(*int), f.Flag, 0, usage)
		case usecase.Flag:
			flags.BoolVar(to.(*bool), f.Flag, false, usage)
		}
		switch {
		case f.Thread:
			completeFlag(cmd, f.Flag, a.completeThreadFlag)
		case len(f.Choices) > 0:
			completeFlag(cmd, f.Flag, fixed(f.Choices))
		}
	}
}

// flagsOf are the fields of a request that are flags of its command: a thread that need not be named is one too. Who acts is --as
// of every command.
func flagsOf(c *usecase.Case) []usecase.Field {
	var list []usecase.Field
	for _, f := range c.Fields() {
		if f.Args == "" && f.Argument == "" && !f.Actor && !f.Untyped && (!f.Place || f.Thread && c.Anyhow) {
			list = append(list, f)
		}
	}
	return list
}

// flagUsage is what help says about a flag.
func flagUsage(f usecase.Field) string {
	return strings.Replace(f.About, f.Word, "`"+f.Word+"`", min(1, len(f.Word)))
}

// fill puts the arguments of a command into its request.
func fill(c *usecase.Case, in reflect.Value, args []string) {
	for _, f := range c.Fields() {
		switch {
		case f.Thread && !c.Anyhow:
			in.Field(f.Index).SetString(args[0])
		case f.Args != "":
			in.Field(f.Index).Set(reflect.ValueOf(args[1:]))
		}
	}
}

// threadOf is the thread that a request names.
func threadOf(c *usecase.Case, in reflect.Value) string {
	for _, f := range c.Fields() {
		if f.Thread {
			return in.Field(f.Index).String()
		}
	}
	return ""
}

// worded says what is wrong with a request in the words of the command line: a field of it is a flag.
func worded(cmd *cobra.Command, err error) error {
	e, ok := errors.AsType[*protocol.Error](err)
	if !ok || e.Code != protocol.Usage {
		return err
	}
	if len(e.Findings) == 1 {
		path := e.Findings[0].Path
		if name := strings.ReplaceAll(path, "_", "-"); cmd.Flags().Lookup(name) != nil {
			return usageFor(cmd, "--%s%s", name, strings.TrimPrefix(e.Message, path))
		}
	}
	return usageFor(cmd, "%s", e.Message)
}
