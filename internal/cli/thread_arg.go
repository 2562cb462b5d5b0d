package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// takesThread tells from its usage line whether the first argument of a command is a thread, and whether the
// command needs one.
func takesThread(cmd *cobra.Command) (takes, needs bool) {
	words := strings.Fields(cmd.Use)
	if len(words) < 2 {
		return false, false
	}
	switch words[1] {
	case "T", "T|FILE":
		return true, true
	case "[T]", "[T", "[T|FILE]":
		return true, false
	}
	return false, false
}

// threadFound is the annotation of a command whose thread is settled.
const threadFound = "thread found"

// threadMayBeMissing tells whether the thread is all that is missing, and may be found out. A script says which thread
// it means: with --json nothing is guessed.
func threadMayBeMissing(cmd *cobra.Command, missing int) bool {
	_, needs := takesThread(cmd)
	json, err := cmd.Flags().GetBool("json")
	return needs && missing == 1 && cmd.Annotations[threadFound] == "" && err == nil && !json && !cmd.Flags().Changed("thread-file")
}

// behindThread is what can follow a thread: an item with or without a field, a version, an outcome.
var behindThread = pattern.Lazy(`^(v?[0-9]+|[A-Z]{1,2}[0-9]+([.=].*)?)$`)

// smallItem is an item in small letters, as people type it.
var smallItem = pattern.Lazy(`^[a-z]{1,2}[0-9]+([.=].*)?$`)

// findThread replaces the first argument of a command by the one thread that it is a part of, or puts in the only
// session if the argument was left out. What it cannot resolve it leaves alone, for the command to say so; nearest is the
// thread that may have been meant then.
func (a *app) findThread(cmd *cobra.Command, args []string) (resolved []string, nearest string, err error) {
	if resolved, nearest, err = a.resolveThread(cmd, args); err == nil && cmd.Args != nil {
		cmd.Annotations = map[string]string{threadFound: "yes"}
		err = cmd.Args(cmd, resolved) // what else is missing
	}
	return resolved, nearest, err
}

func (a *app) resolveThread(cmd *cobra.Command, args []string) (resolved []string, nearest string, err error) {
	takes, needs := takesThread(cmd)
	switch {
	case !takes, len(args) > 0 && (args[0] == "" || isFile(args[0])):
		return args, "", nil
	case len(args) == 0 && (!needs || !threadMayBeMissing(cmd, 1)):
		return args, "", nil
	}
	ids, err := a.openThreads(cmd.Context())
	switch {
	case err != nil && len(args) > 0:
		return args, "", nil // whether it matters the command knows
	case err != nil:
		return nil, "", err
	case len(args) == 0, !slices.Contains(ids, args[0]) && behindThread().MatchString(args[0]) && threadMayBeMissing(cmd, 1):
		return a.behindOnlySession(cmd, args)
	}
	name, _, _ := strings.Cut(args[0], "#") // T#ITEM
	id, err := oneOf(name, ids)
	switch {
	case err != nil:
		return nil, "", usageFor(cmd, "%s", err)
	case id == "" && threadMayBeMissing(cmd, 1) && smallItem().MatchString(args[0]):
		kind := strings.TrimRight(args[0][:2], "0123456789")
		return a.behindOnlySession(cmd, append([]string{strings.ToUpper(kind) + args[0][len(kind):]}, args[1:]...))
	case id == "" && threadMayBeMissing(cmd, 1) && len(args) < neededArguments(cmd):
		return a.behindOnlySession(cmd, args)
	case id == "":
		return args, nearestOf(name, ids), nil
	}
	return append([]string{id + args[0][len(name):]}, args[1:]...), "", nil
}

// behindOnlySession puts the only session before the arguments.
func (a *app) behindOnlySession(cmd *cobra.Command, args []string) (resolved []string, nearest string, err error) {
	id, err := a.onlySession(cmd.Context(), cmd, a.opened)
	return append([]string{id}, args...), "", err
}

// neededArguments is how many arguments the usage line of a command asks for.
func neededArguments(cmd *cobra.Command) int {
	needed := 0
	for _, word := range strings.Fields(cmd.Use)[1:] {
		if strings.ContainsAny(word[:1], "[(-|") {
			break
		}
		needed++
	}
	return needed
}

// openThreads opens the project for the command, and lists its threads.
func (a *app) openThreads(ctx context.Context) ([]string, error) {
	options, err := a.options(ctx)
	if err != nil {
		return nil, err
	}
	if a.opened, err = project.Look(ctx, options); err != nil {
		return nil, err
	}
	return threadIDs(ctx, a.opened)
}

func threadIDs(ctx context.Context, p *project.App) ([]string, error) {
	threads, err := p.Mail.Threads(ctx)
	ids := make([]string, len(threads))
	for i, t := range threads {
		ids[i] = t.ID
	}
	return ids, err
}

// threadNamed finds the thread that a flag names by a part; a name that is no part of any stays as it is.
func threadNamed(ctx context.Context, p *project.App, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	ids, err := threadIDs(ctx, p)
	if err != nil {
		return "", err
	}
	id, err := oneOf(name, ids)
	if err != nil {
		return "", usageError("%w", err)
	}
	return cmp.Or(id, name), nil
}

// onlySession is the session that is open if just one is, else the only one there is.
func (a *app) onlySession(ctx context.Context, cmd *cobra.Command, p *project.App) (string, error) {
	all, err := likelySessions(ctx, p)
	switch {
	case err != nil:
		return "", err
	case len(all) == 0:
		return "", usageFor(cmd, "T is missing, and there is no session yet")
	case len(all) > 1:
		return "", usageFor(cmd, "T is missing, and it could be %s", alternatives(all))
	}
	out := newPrinter(a)
	out.note("session %s", visible(all[0]))
	out.err.Flush()
	return all[0], nil
}

// likelySessions are those that may be meant where none is named: the one that is open if just one is, else all.
func likelySessions(ctx context.Context, p *project.App) ([]string, error) {
	list, err := p.Sessions.List(ctx)
	var all, open []string
	for _, s := range list {
		all = append(all, s.ThreadID)
		if !s.Phase.Over() {
			open = append(open, s.ThreadID)
		}
	}
	if len(open) == 1 {
		return open, err
	}
	return all, err
}

// oneOf finds the name that a person means: the very name, else the only one that it is a part of, in any case. Empty:
// there is none.
func oneOf(part string, names []string) (string, error) {
	if slices.Contains(names, part) {
		return part, nil
	}
	var found []string
	for _, name := range names {
		if strings.Contains(strings.ToLower(name), strings.ToLower(part)) {
			found = append(found, name)
		}
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%q could be %s", part, alternatives(found))
}

// sessionPrefix is what comes before the slug of a session.
var sessionPrefix = pattern.Lazy(`^RS-[0-9]{8}-`)

// nearestOf is the name that a mistyped one is probably meant to be. Empty: none is near.
func nearestOf(typed string, names []string) string {
	best, least := "", 1+len(typed)/4
	for _, name := range names {
		d := protocol.EditDistance(strings.ToLower(typed), strings.ToLower(name))
		if prefix := sessionPrefix().FindString(name); prefix != "" {
			d = min(d, partDistance(strings.ToLower(typed), name[len(prefix):])) // as people call a session
		}
		if d <= least && (best == "" || d < least) {
			best, least = name, d
		}
	}
	return best
}

// partDistance is how far a text is from the nearest run of words of a slug, none of them missing in part.
func partDistance(typed, slug string) int {
	words := strings.Split(slug, "-")
	least := protocol.EditDistance(typed, slug)
	for from := range words {
		for to := from + 1; to <= len(words); to++ {
			if part := strings.Join(words[from:to], "-"); len(part) > 3 {
				least = min(least, protocol.EditDistance(typed, part))
			}
		}
	}
	return least
}

// alternatives lists names of which one is meant.
func alternatives(names []string) string { return several(names, " or ") }

// several lists names in a sentence; of many it says how many more there are.
func several(names []string, last string) string {
	const maxNamed = 5
	if extra := len(names) - maxNamed; extra > 0 {
		names = append(slices.Clone(names[:maxNamed]), strconv.Itoa(extra)+" more")
	}
	end := len(names) - 1
	if end == 0 {
		return names[0]
	}
	return strings.Join(names[:end], ", ") + last + names[end]
}

// suggestion adds to an error the name that may have been meant: a thread that was found near, or an agent.
func (a *app) suggestion(ctx context.Context, err error, thread string) error {
	failure, ok := errors.AsType[*protocol.Error](err)
	if !ok {
		return err
	}
	nearest := ""
	better := *failure
	switch name, unknown := mail.UnknownName(failure); {
	case unknown:
		names := a.agentNames(ctx)
		if nearest = nearestOf(name, names); nearest == "" && len(names) > 0 {
			better.Message += ", only " + several(names, " and ")
			return &better
		}
	case failure.Code == protocol.NotFound:
		nearest = thread
	}
	if nearest == "" {
		return err
	}
	better.Message += "; did you mean " + nearest + "?"
	return &better
}

// agentNames lists who is registered; nobody where that cannot be found out.
func (a *app) agentNames(ctx context.Context) []string {
	options, err := a.options(ctx)
	if err != nil {
		return nil
	}
	p, err := project.Look(ctx, options)
	if err != nil {
		return nil
	}
	defer p.Close()
	agents, _ := p.Mail.Agents(ctx) // without them nothing is suggested
	var names []string
	for i := range agents {
		if !agents[i].Retired() {
			names = append(names, agents[i].Name)
		}
	}
	return names
}
