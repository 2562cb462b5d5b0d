package dossier

import (
	"fmt"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/crate"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/report"
	"brenner/internal/science"
	"brenner/internal/study"
	"brenner/internal/witness"
)

// Report writes the dossier as one page.
func (b *Bundle) Report() ([]byte, error) {
	cast := b.cast()
	judgement, _ := b.Evidence()
	reviewed := b.Review()
	attacks := b.Attacks()
	r := &report.Report{
		ThreadID: b.ThreadID(), Question: b.Question(), Version: b.Version, Published: b.last().CreatedAt, Hash: b.Hash.String(),
		Chain:     b.last().ChainHash.String(),
		Generator: b.Settings.Tool, Artifact: b.Document.Artifact, Evidence: judgement, License: b.Settings.License,
		Reviews: map[artifact.ItemID]report.Review{}, Cite: b.Cite(CiteText),
	}
	onHypothesis := map[artifact.ItemID][]study.Attack{}
	for _, a := range attacks {
		told := report.Attack{
			Title: a.Title, Text: a.Text, From: cast.Of(a.From), Severity: a.Severity, State: a.State(), MessageID: a.MessageID,
			Item: a.Item, Answer: a.Answer, Family: b.Family(a.From),
		}
		for _, hit := range a.Hits {
			id := artifact.ItemID(hit.Hypothesis)
			told.Targets = append(told.Targets, id)
			onHypothesis[id] = append(onHypothesis[id],
				study.Attack{MessageID: a.MessageID, From: a.From, Title: a.Title, Severity: a.Severity, State: a.State()})
		}
		r.Attacks = append(r.Attacks, told)
	}
	account := b.Account()
	src := study.Source{
		Artifact: b.Document.Artifact, Science: b.View.Science, Account: account, Ranking: account.Next(science.ByBitsPerEffort),
		Register: b.Predictions(), Cast: cast, Links: anchors{}, Attacks: onHypothesis,
	}
	r.Study = study.New(src)
	reasons := account.Reasons()
	knownNow, why := study.NewKnown(r.Study, src, &reasons), study.NewWhy(r.Study, src, &reasons)
	r.Known, r.Why = &knownNow, &why
	for _, h := range reviewed.Hypotheses {
		r.Reviews[h.ID] = report.Review{State: string(h.State), Why: h.Why()}
	}
	r.Members, r.Log = b.members(cast), b.log(cast)
	signs := b.Signs()
	r.Signs = signs.Lines()
	r.Versions, r.Sources = b.versions(), b.sources()
	r.Findings, r.MoreFindings = b.findings()
	for _, claim := range b.claims() {
		r.Claims = append(r.Claims, claim.Message)
	}
	r.Place, r.Checkpoints, r.Witnessed = b.place(), b.sealLines(), b.witnessLines()
	return r.Render()
}

// sealLines describes the checkpoints that go along. Whom of their witnesses to believe is for the reader to say.
func (b *Bundle) sealLines() (list []string) {
	for i := range b.parts {
		for k := range b.parts[i].Checkpoints {
			seal, err := witness.Trust{}.Judge(&b.parts[i].Checkpoints[k])
			names, at := seal.By()
			line := fmt.Sprintf("%s, size %d", b.parts[i].Origin, seal.Size)
			if err == nil && len(names) > 0 {
				line += ": " + strings.Join(names, ", ")
			} else {
				line += ": nobody signed it"
			}
			if !at.IsZero() {
				line += ", time-stamped " + at.UTC().Format("2 January 2006, 15:04 UTC")
			}
			list = append(list, line)
		}
	}
	return list
}

// witnessLines says what was under a checkpoint with a witness before its result was recorded.
func (b *Bundle) witnessLines() (list []string) {
	for _, w := range b.witnessed(func(part int, size int64) (witness.Seal, bool) {
		for k := range b.parts[part].Checkpoints {
			if w := &b.parts[part].Checkpoints[k]; w.Size() == size {
				seal, err := witness.Trust{}.Judge(w)
				return seal, err == nil && (len(seal.Signers) > 0 || seal.Stamped != crate.Unsigned)
			}
		}
		return witness.Seal{}, false
	}) {
		if w.BeforeResult {
			list = append(list, w.String())
		}
	}
	return list
}

// anchors lead to places of the same page.
type anchors struct{}

func (anchors) Item(id artifact.ItemID) string { return "#" + string(id) }
func (anchors) Message(id int64) string        { return fmt.Sprint("#m", id) }

// cast gives all agents a colour: roster first, then others that took part.
func (b *Bundle) cast() study.Cast {
	var names []string
	for _, m := range b.Members() {
		names = append(names, m.Agent)
	}
	return study.NewCast(names, func(name string) bool { return b.Family(name) == science.Human })
}

func (b *Bundle) members(cast study.Cast) []report.Member {
	sent := map[string]int{}
	for i := range b.Lines {
		sent[mail.NameKey(b.Lines[i].From)]++
	}
	var list []report.Member
	for _, m := range b.Members() {
		agent := b.Agent(m.Agent)
		list = append(list, report.Member{
			Agent: cast.Of(m.Agent), Program: agent.Program, Model: agent.Model, Family: b.Family(m.Agent),
			Role: strings.ReplaceAll(string(m.Role), "_", " "), Messages: sent[mail.NameKey(m.Agent)], Changes: m.Deltas,
		})
	}
	return list
}

func (b *Bundle) log(cast study.Cast) []report.Entry {
	var list []report.Entry
	for i := range b.Lines {
		l := &b.Lines[i]
		list = append(list, report.Entry{ID: l.ID, At: l.CreatedAt, From: cast.Of(l.From), Subject: l.Subject})
	}
	return list
}

// versions lists what was published, the latest first.
func (b *Bundle) versions() []report.Version {
	lines := map[int64]*transfer.Line{}
	for i := range b.Lines {
		lines[b.Lines[i].ID] = &b.Lines[i]
	}
	var list []report.Version
	for _, v := range b.View.Fold.Versions() {
		l := lines[v.MessageID]
		compiled, _ := message.ParseCompiled(markup.Parse(l.Body))
		version := report.Version{Number: v.Number, Summary: compiled.Summary, At: v.At}
		if l.ArtifactHash != ([32]byte{}) {
			version.Hash = l.ArtifactHash.String()
		}
		list = append(list, version)
	}
	slices.Reverse(list)
	return list
}

// withoutSchemes keeps addresses out of the words of a page: they stand in its links alone.
var withoutSchemes = strings.NewReplacer("https://", "", "http://", "")

// sources lists the sources that the thread cites.
func (b *Bundle) sources() []report.Source {
	if b.Library.Pack == nil {
		return nil
	}
	var list []report.Source
	for _, s := range b.Library.Pack.Sources {
		item := s.Reference().Item
		list = append(list, report.Source{
			ID: s.ID, Title: s.Title, Origin: s.Source, SHA256: s.SHA256, Kind: string(s.Kind), Withheld: s.File == "",
			Standing: s.Mark().String(), Reference: withoutSchemes.Replace(item.String()), Link: item.Link(),
		})
	}
	return list
}

// maxFindings is how many findings a report lists.
const maxFindings = 200

// findings says what a reader should know about results, predictions and beliefs, and how many more there are.
func (b *Bundle) findings() (list []string, more int) {
	seen := map[string]bool{}
	for _, f := range slices.Concat(b.Predictions().Findings, b.Beliefs().Findings) {
		switch {
		case seen[f.Message]:
		case len(list) == maxFindings:
			more++
		default:
			list = append(list, f.Message)
		}
		seen[f.Message] = true
	}
	return list, more
}
