package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/program"
	"brenner/internal/session"
)

// wordsOf finds what can be typed in a session behind some arguments, of which the thread is none.
type wordsOf func(ctx context.Context, s *session.Session, behind []string, typed string) ([]cobra.Completion, error)

// completeInSession offers threads, then words of the thread. While only one session is open it need not be named, so that
// its words are offered at once.
func (a *app) completeInSession(words wordsOf) completer {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		list, directive := a.completeOfSession(words)(cmd, args, typed)
		if len(args) == 0 {
			threads, _ := a.completeThreads(cmd, args, typed)
			list = append(threads, list...)
		}
		return list, directive
	}
}

// completeOfSession offers words of the thread that the arguments name, or of the only one: what a flag takes.
func (a *app) completeOfSession(words wordsOf) completer {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return a.suggest(cmd, typed, func(ctx context.Context, p *project.App) ([]cobra.Completion, error) {
			s, behind, err := typedSession(ctx, p, args)
			if err != nil || s == nil {
				return nil, err
			}
			return words(ctx, s, behind, typed)
		})
	}
}

// typedSession finds the session that the first argument names, else the only one; nil: it could be any.
func typedSession(ctx context.Context, p *project.App, args []string) (s *session.Session, behind []string, err error) {
	if len(args) > 0 {
		ids, err := threadIDs(ctx, p)
		if err != nil {
			return nil, nil, err
		}
		if id, err := oneOf(args[0], ids); err == nil && id != "" {
			s, err = p.Sessions.Session(ctx, id)
			return s, args[1:], err
		}
	}
	likely, err := likelySessions(ctx, p)
	if err != nil || len(likely) != 1 {
		return nil, nil, err
	}
	s, err = p.Sessions.Session(ctx, likely[0])
	return s, args, err
}

// completeItems offers the items of a session in some sections.
func (a *app) completeItems(sections ...artifact.Section) completer {
	return a.completeInSession(func(_ context.Context, s *session.Session, behind []string, _ string) ([]cobra.Completion, error) {
		if len(behind) > 0 {
			return nil, nil
		}
		return itemsOf(s, sections...), nil
	})
}

func itemsOf(s *session.Session, sections ...artifact.Section) []cobra.Completion {
	var list []cobra.Completion
	for _, section := range sections {
		for _, it := range s.View.Fold.Artifact().Active(section) {
			list = append(list, cobra.CompletionWithDesc(string(it.ID), it.Text(artifact.Name)))
		}
	}
	return list
}

// completeFields offers items, and behind the point of one its fields.
func (a *app) completeFields() completer {
	return a.completeInSession(func(ctx context.Context, s *session.Session, behind []string, typed string) ([]cobra.Completion, error) {
		item, _, pointed := strings.Cut(typed, ".")
		switch {
		case len(behind) > 0:
			return nil, nil
		case !pointed:
			return itemsOf(s, artifact.Sections()...), nil
		}
		lines, err := s.Blame(ctx, 0, strings.ToUpper(item))
		var list []cobra.Completion
		for i := range lines {
			list = append(list, cobra.CompletionWithDesc(item+"."+lines[i].Field, "by "+orDash(lines[i].Agent)))
		}
		return list, err
	})
}

// completeVersions offers the versions of a thread, the latest first.
func completeVersions(ctx context.Context, s *session.Session, _ []string, _ string) ([]cobra.Completion, error) {
	versions, err := s.History(ctx)
	var list []cobra.Completion
	for _, v := range slices.Backward(versions) {
		list = append(list, cobra.CompletionWithDesc("v"+formatInt(int64(v.Version)), v.Subject))
	}
	return list, err
}

// completeOutcomes offers the labels of the test that was named.
func completeOutcomes(_ context.Context, s *session.Session, behind []string, _ string) ([]cobra.Completion, error) {
	if len(behind) == 0 {
		return nil, nil
	}
	return s.View.Science.TableOf(artifact.ItemID(behind[0])).Labels, nil
}

// completeSuppositions offers tests, and behind the sign of one its labels.
func (a *app) completeSuppositions() completer {
	words := a.completeInSession(func(_ context.Context, s *session.Session, _ []string, typed string) ([]cobra.Completion, error) {
		test, _, signed := strings.Cut(typed, "=")
		if !signed {
			list := itemsOf(s, artifact.DiscriminativeTests)
			for i := range list {
				id, name, _ := strings.Cut(list[i], "\t")
				list[i] = cobra.CompletionWithDesc(id+"=", name)
			}
			return list, nil
		}
		var list []cobra.Completion
		for _, label := range s.View.Science.TableOf(artifact.ItemID(strings.ToUpper(test))).Labels {
			list = append(list, test+"="+label)
		}
		return list, nil
	})
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		list, directive := words(cmd, args, typed)
		if len(list) > 0 && strings.Contains(list[len(list)-1], "=\t") {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		return list, directive
	}
}

// completeSource offers the sources of the pack for one argument, and behind # the excerpts of one.
func (a *app) completeSource(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.completeSources(cmd, args, typed)
}

// completeSources is completeSource for a flag, whatever the arguments are.
func (a *app) completeSources(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
	defer cancel()
	pack, err := a.loadPack(ctx)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return matching(sourceWords(pack, typed), typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

func sourceWords(pack *evidence.Pack, typed string) []cobra.Completion {
	var list []cobra.Completion
	id, _, excerpted := strings.Cut(typed, "#")
	if s := pack.Source(strings.ToUpper(id)); excerpted && s != nil {
		for _, e := range s.AllExcerpts() {
			list = append(list, cobra.CompletionWithDesc(s.ID+"#"+e.ID, strings.Join(strings.Fields(e.Text), " ")))
		}
		return list
	}
	for _, s := range pack.Sources {
		list = append(list, cobra.CompletionWithDesc(s.ID, s.Title))
	}
	return list
}

// completePrograms offers the programs that agents run in: those of the project, or where there is none yet those built in.
func (a *app) completePrograms(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	list, directive := a.suggest(cmd, typed, func(_ context.Context, p *project.App) ([]cobra.Completion, error) {
		return p.Catalog().Programs(), nil
	})
	if list == nil {
		list = matching(program.NewCatalog(nil).Programs(), typed)
	}
	return list, directive
}

// completeAssigned offers programs, and behind the sign of an agent what it may run in.
func (a *app) completeAssigned(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	agent, begun, signed := strings.Cut(typed, "=")
	if !signed {
		return a.completePrograms(cmd, args, typed)
	}
	list, directive := a.completePrograms(cmd, args, begun)
	for i := range list {
		list[i] = agent + "=" + list[i]
	}
	return list, directive
}
