package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mail"
)

func newMailSearch(a *app) *cobra.Command {
	var q mail.SearchQuery
	var types []string
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Search all messages",
		Long: `Search subjects and bodies: words, "phrases", AND, OR, NOT and prefix*. Best matches first where
few match, newest first where many do.`,
		Example: "  brenner mail search 'gradient AND NOT lineage' --type DELTA,CRITIQUE",
		Args:    exactly("QUERY"),
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&types, "type", nil, "only these `TYPES`, separated by commas")
	flags.StringVar(&q.Thread, "thread", "", "only this thread")
	flags.IntVar(&q.Limit, "limit", defaultLimit, "at most `N` messages")
	completeFlag(cmd, "type", completeTypes)
	completeFlag(cmd, "thread", a.completeThreadFlag)
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		var err error
		if q.Types, err = parseTypes(types); err != nil {
			return nil, err
		}
		if q.Limit < 1 {
			return nil, usageError("--limit takes a number from 1")
		}
		if q.Thread, err = threadNamed(ctx, p, q.Thread); err != nil {
			return nil, err
		}
		found, err := p.Mail.Search(ctx, args[0], q)
		if err != nil {
			return nil, err
		}
		return a.searchReport(ctx, p, found)
	}))
}

// searchReport shows messages as the viewer sees them.
func (a *app) searchReport(ctx context.Context, p *project.App, found []mail.Message) (report, error) {
	viewer := a.identity()
	r := inboxReport{Agent: viewer, Count: len(found), Messages: make([]mail.Object, len(found)), now: p.Mail.Now()}
	ids := make([]int64, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	own := map[int64]*mail.Delivery{}
	if len(ids) > 0 {
		received, err := p.Store.Deliveries(ctx, mail.DeliveryQuery{Project: p.Mail.Project().ID, Messages: ids, Agent: viewer})
		if err != nil {
			return nil, err
		}
		for i := range received {
			own[received[i].Message] = &received[i]
		}
	}
	for i := range found {
		r.Messages[i] = mail.NewObject(&found[i], own[found[i].ID], viewer)
	}
	return r, nil
}
