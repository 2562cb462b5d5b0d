package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/config"
	"brenner/internal/protocol"
)

func newRosterPresets(a *app) *cobra.Command {
	var explain bool
	cmd := &cobra.Command{
		Use:     "presets",
		Short:   "List the presets of the project and the built-in ones",
		Example: "  brenner roster presets --explain",
		Args:    exactly(),
	}
	cmd.Flags().BoolVar(&explain, "explain", false, "print where each preset comes from")
	return a.command(cmd, func(ctx context.Context, _ []string) (report, error) {
		c, err := a.readConfig(ctx)
		if err != nil {
			return nil, err
		}
		r := presetsReport{Presets: []presetRow{}, explain: explain}
		for _, p := range protocol.Presets(c.Roster.Presets) {
			r.Presets = append(r.Presets, newPresetRow(p, c))
		}
		return r, nil
	})
}

type presetsReport struct {
	Presets []presetRow `json:"presets"`

	explain bool
}

type presetRow struct {
	protocol.PresetObject
	Default bool   `json:"default"`
	Origin  string `json:"origin"`
}

func newPresetRow(p protocol.Preset, c config.Config) presetRow {
	row := presetRow{PresetObject: p.Object(), Default: p.ID == c.Roster.DefaultPreset, Origin: "built in"}
	if !p.IsBuiltin(c.Roster.Presets) {
		row.Origin = c.Origins["roster.presets"]
	}
	return row
}

func (r presetsReport) show(p *printer) {
	cols := columns("Preset", "Name…", "Roles…")
	if r.explain {
		cols = columns("Preset", "Name…", "Roles…", "From…")
	}
	var rows [][]string
	for _, preset := range r.Presets {
		roles := make([]string, len(preset.Entries))
		for i, e := range preset.Entries {
			roles[i] = string(e.Role)
		}
		row := []string{preset.ID, preset.Name, strings.Join(roles, ", ")}
		if r.explain {
			row = append(row, preset.Origin)
		}
		rows = append(rows, row)
	}
	p.table(cols, rows)
	p.hint("brenner session start --preset %s --to AGENT…", visible(r.Presets[0].ID))
}
