package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// completer offers words for an argument or a flag.
type completer = cobra.CompletionFunc

// completionTime is how long a person waits for a suggestion.
const completionTime = 2 * time.Second

// completeThreads offers the threads of the project, most recently active first, for the first
// argument.
func (a *app) completeThreads(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.suggest(cmd, typed, func(ctx context.Context, p *project.App) ([]cobra.Completion, error) {
		threads, err := p.Mail.Threads(ctx)
		list := make([]cobra.Completion, 0, len(threads))
		for _, t := range threads {
			list = append(list, cobra.CompletionWithDesc(t.ID, count(t.Messages, "message")))
		}
		return list, err
	})
}

// completeThreadFlag is completeThreads for a flag, whatever the arguments are.
func (a *app) completeThreadFlag(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return a.completeThreads(cmd, nil, typed)
}

// completeThreadsOrFiles offers threads, and leaves the shell to offer files.
func (a *app) completeThreadsOrFiles(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	list, _ := a.completeThreads(cmd, args, typed)
	return list, cobra.ShellCompDirectiveDefault
}

// completeThreadThenVersions is completeThreadsOrFiles, then two versions of the thread.
func (a *app) completeThreadThenVersions(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	switch {
	case len(args) == 0:
		return a.completeThreadsOrFiles(cmd, args, typed)
	case isFile(args[0]):
		return nil, cobra.ShellCompDirectiveDefault
	case len(args) > 2:
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.completeOfSession(completeVersions)(cmd, args, typed)
}

// completeAgents offers the agents that take part. After a comma it goes on with the list.
func (a *app) completeAgents(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	return a.suggest(cmd, typed, func(ctx context.Context, p *project.App) ([]cobra.Completion, error) {
		agents, err := p.Mail.Agents(ctx)
		var list []cobra.Completion
		for i := range agents {
			if !agents[i].Retired() {
				list = append(list, cobra.CompletionWithDesc(before+agents[i].Name, describe(&agents[i])))
			}
		}
		return list, err
	})
}

func describe(agent *mail.Agent) string {
	return strings.TrimSpace(agent.Program + " " + agent.Model)
}

// suggest asks a store that is there. Completing never makes one, never waits long and never
// complains.
func (a *app) suggest(cmd *cobra.Command, typed string,
	ask func(context.Context, *project.App) ([]cobra.Completion, error)) ([]cobra.Completion, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
	defer cancel()
	options, err := a.options(ctx)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	p, err := project.Peek(ctx, options)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer p.Close()
	all, err := ask(ctx, p)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return matching(all, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// matching are the words that go on from what was typed, in any case.
func matching(words []cobra.Completion, typed string) []cobra.Completion {
	var list []cobra.Completion
	for _, word := range words {
		if len(word) >= len(typed) && strings.EqualFold(word[:len(typed)], typed) {
			list = append(list, word)
		}
	}
	return list
}

// completeFlag gives a flag its words.
func completeFlag(cmd *cobra.Command, name string, words completer) {
	if err := cmd.RegisterFlagCompletionFunc(name, words); err != nil {
		panic(err) // the flag was defined a line above
	}
}

// fixed offers words that never change.
func fixed[T ~string](words []T) completer {
	list := make([]cobra.Completion, len(words))
	for i, word := range words {
		list[i] = cobra.Completion(word)
	}
	return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)
}

// completeTypes offers the types of messages, also as a list.
func completeTypes(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var list []cobra.Completion
	for _, t := range protocol.MessageTypes() {
		list = append(list, before+string(t))
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
