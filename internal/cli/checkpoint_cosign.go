package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/internal/witness"
)

func newCheckpointCosign(a *app) *cobra.Command {
	var sign string
	cmd := &cobra.Command{
		Use:   "cosign FILE",
		Short: "Witness a colleague's checkpoint: sign it if it continues the last one you signed",
		Long: `Hold the checkpoint in FILE against the last one of its journal that you signed, which your own settings remember, and add
your signature to FILE. The first one of a journal is taken as it is. One that is smaller, has another root at the same size,
or does not prove that it continues what you signed is refused (exit code 3), and nothing is signed.`,
		Example: "  brenner checkpoint cosign note.json --sign ~/.ssh/id_ed25519",
		Args:    exactly("FILE"),
	}
	cmd.Flags().StringVar(&sign, "sign", "", "the private SSH key in file `KEY`")
	return a.command(cmd, func(_ context.Context, args []string) (report, error) {
		if sign == "" {
			return nil, usageFor(cmd, "say which key signs: --sign KEY")
		}
		signer, err := a.signer(sign)
		if err != nil {
			return nil, err
		}
		file, _, err := readCheckpointFile(args[0])
		if err == nil {
			err = witness.Cosigner{Signer: signer}.Cosign(&file)
		}
		if err != nil {
			return nil, err
		}
		if err := writeCheckpointFile(args[0], file); err != nil {
			return nil, err
		}
		return a.checkpointReport(witness.Kept{Witnessed: file.Witnessed})
	})
}
