// Package dossier carries a published version out of its project: as one page to read, as a crate that a
// referee can check, and as a citation; and it checks crates and takes them in (SCIENCE 9).
//
// Everything in a crate is derived from four things: the lines of the thread, the evidence and the sections
// they cite, and the settings of the project. Checking a crate derives it again from its own files.
package dossier

import (
	"context"
	"strings"

	"brenner/internal/crate"
	"brenner/internal/evidence"
	"brenner/internal/evidencepack"
	"brenner/internal/journal"
	"brenner/internal/mail/transfer"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
	"brenner/internal/transcript"
)

// Settings are what a dossier takes from the project file, and who writes it.
type Settings struct {
	License string
	Authors []crate.Person
	Family  func(science.Agent) string // of agents whose family the thread does not give away
	Tool    string                     // this program with its version
}

// Project is where dossiers come from.
type Project struct {
	Sessions   *session.Sessions
	Evidence   *evidencepack.Pack
	Transcript func() *transcript.Transcript // nil results: there is none
	Journals   func(ctx context.Context, threadID string) ([]journal.Part, error)
	Settings   Settings
}

// Bundle is a dossier with all that goes along.
type Bundle struct {
	*session.Dossier
	Settings Settings

	pack     evidencepack.Selection
	sections string         // the cited sections of the transcript; empty: there are none
	after    int            // changes of the thread that came after the version
	parts    []journal.Part // what journals say of the thread, as far as checkpoints cover it
}

// Make derives a version of a thread, 0 being the latest. NOT_FOUND: there is no such thread or version. A thread that
// does not verify, or whose evidence was changed, is not carried out: CHAIN_BROKEN, EV-Q02.
func (p Project) Make(ctx context.Context, threadID string, version int) (*Bundle, error) {
	of, err := p.Sessions.Session(ctx, threadID)
	if err != nil {
		return nil, err
	}
	lines, err := of.DossierLines(ctx, version)
	if err != nil {
		return nil, err
	}
	t := p.Transcript()
	ids, numbers := session.Cited(lines, t)
	pack, err := p.Evidence.Select(ids)
	if err != nil {
		return nil, err
	}
	b, err := derive(lines, pack, renderSections(t, numbers), p.Settings)
	if err != nil {
		return nil, err
	}
	b.after = of.ChangesAfter(version)
	parts, err := p.Journals(ctx, threadID)
	if err != nil {
		return nil, err
	}
	b.setParts(parts)
	if bad := b.Verification.FirstBad; bad != nil {
		return nil, protocol.Errorf(protocol.ChainBroken, "message %d of %s does not match: %s", bad.Message, threadID, bad.Reason)
	}
	if _, wrong := b.Evidence(); protocol.HasErrors(wrong) {
		return nil, protocol.Errorf(protocol.EVQ02, "%s", wrong[0].Message).WithFindings(wrong)
	}
	return b, nil
}

// derive puts a bundle together from its four parts.
func derive(lines []transfer.Line, pack evidencepack.Selection, sections string, settings Settings) (*Bundle, error) {
	library, err := libraryOf(lines, pack, sections)
	if err != nil {
		return nil, err
	}
	r, err := session.NewDossier(lines, library, settings.family)
	if err != nil {
		return nil, err
	}
	return &Bundle{Dossier: r, Settings: settings, pack: pack, sections: sections}, nil
}

// family is that of an agent in a dossier. Where the thread's rosters speak, nothing else does: a project file may call a known model
// otherwise, but whoever packs a crate may not (SCIENCE 9, metadata).
func (s Settings) family(agent science.Agent) string {
	if own := agent.Family(nil); own != science.UnknownFamily {
		return own
	}
	return s.Family(agent)
}

// libraryOf is what the quotes of a dossier are looked up in: what goes along, and nothing else.
func libraryOf(lines []transfer.Line, pack evidencepack.Selection, sections string) (*evidence.Library, error) {
	library := &evidence.Library{}
	read, err := evidencepack.FromFiles(pack.Index, pack.Read)
	if err != nil {
		return nil, err
	}
	if len(read.Sources) > 0 || hadPack(lines) {
		library.Pack = read
	}
	if t := transcript.Parse(sections); t.Len() > 0 {
		library.Transcript = t
		text := evidence.NewSections(t)
		library.Sections = func() *evidence.Sections { return text }
	}
	return library, nil
}

// hadPack tells whether the project had an evidence pack when the version was compiled (SCIENCE 1, under the chain).
func hadPack(lines []transfer.Line) bool {
	if len(lines) == 0 {
		return false
	}
	compiled, _ := message.ParseCompiled(markup.Parse(lines[len(lines)-1].Body))
	return compiled.Evidence != nil
}

// renderSections writes sections of a transcript so that they are read back the same.
func renderSections(t *transcript.Transcript, numbers []int) string {
	if len(numbers) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("The sections of the transcript that the thread cites.\n")
	for _, n := range numbers {
		s, _ := t.Section(n)
		b.WriteString("\n## §" + formatInt(n))
		if s.Title != "" {
			b.WriteString(" " + s.Title)
		}
		b.WriteString("\n")
		if s.Text != "" {
			b.WriteString("\n" + s.Text + "\n")
		}
	}
	return b.String()
}
