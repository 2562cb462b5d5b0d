package session

import (
	"fmt"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/lint"
	"brenner/internal/artifact/merge"
	"brenner/internal/evidence"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// Outcome is what compiling a thread came to. The numbers cover the window since the last
// version; statistics count active items of the whole artifact (PROTOCOL 10).
type Outcome struct {
	ThreadID        string                   `json:"thread_id"`
	Version         int                      `json:"version"`
	PreviousVersion int                      `json:"previous_version"`
	NewVersion      bool                     `json:"new_version"`
	MessageID       *int64                   `json:"message_id"`
	Stats           artifact.Stats           `json:"stats"`
	Deltas          merge.Counts             `json:"deltas"`
	Changes         merge.Changes            `json:"changes"`
	Contributors    []merge.Contributor      `json:"contributors"`
	Conflicts       []merge.Conflict         `json:"conflicts"`
	Findings        []protocol.Finding       `json:"findings"`
	More            int                      `json:"more"` // findings that are counted only
	Receipts        []MessageReceipt         `json:"receipts"`
	Lint            lint.Report              `json:"lint"`
	ArtifactHash    string                   `json:"artifact_hash"`
	Persistence     Persistence              `json:"persistence"`
	Predictions     science.PredictionCounts `json:"predictions"`
	Coverage        evidence.Counts          `json:"coverage"` // of what the artifact quotes

	Document artifact.Document `json:"-"` // what was compiled, for a reader

	library *evidence.Library // that lint asked; nil: none
	agents  []science.Agent   // as registered
}

// outcomeOf sums a view up. It is pure: compiling a file of lines uses it as well.
func outcomeOf(v *fold.View, project *lint.Project) Outcome {
	w := v.Fold.Window()
	doc := v.Document()
	counts, findings := v.Science.OfWindow()
	o := Outcome{
		ThreadID: v.Fold.ThreadID(), Version: v.Latest(), PreviousVersion: v.Fold.Before(v.Latest()),
		Stats: doc.Artifact.Stats(), Deltas: w.Deltas, Changes: w.Changes, Contributors: w.Contributors,
		Conflicts: w.Conflicts, Findings: append(w.Findings, findings...), More: w.More, Receipts: receipts(w.Messages),
		Lint:         lint.Check(lint.Input{Document: doc, Project: project}),
		ArtifactHash: doc.Metadata.ArtifactHash,
		Persistence:  Persistence{State: Draft, Path: message.ArtifactPath(v.Fold.ThreadID())},
		Document:     doc,
		Predictions:  counts,
	}
	o.Coverage = o.Lint.Evidence.Counts
	return o
}

// OutcomeOf compiles a thread that is not in any store.
func OutcomeOf(v *fold.View) Outcome { return outcomeOf(v, nil) }

// published turns the outcome into that of the version that m published.
func (o *Outcome) published(m mail.Message, v *fold.View) {
	o.Version, o.PreviousVersion = m.Version, v.Fold.Before(m.Version)
	o.NewVersion = true
	o.MessageID = &m.ID
	o.Document = v.Document()
}

// describe fills in the parts of a COMPILED body that tell what happened.
func (o *Outcome) describe(v *fold.View, c *message.Compiled) {
	c.Contributors = o.contributions(v)
	c.Changes = message.Changes{
		Added: changes(v, o.Changes.Added, title), Edited: changes(v, o.Changes.Edited, title),
		Killed: changes(v, o.Changes.Killed, killReason),
	}
	for _, conflict := range o.Conflicts {
		c.Conflicts = append(c.Conflicts, conflictLine(conflict))
	}
	for _, r := range o.Receipts {
		for _, b := range r.Receipt.Blocks {
			if line, rejected := rejectionLine(r, b); rejected {
				c.Rejected = append(c.Rejected, line)
			}
		}
	}
	c.MoreRejected = o.Deltas.Rejected - len(c.Rejected)
}

// contributions are the rows of the table of contributors: those of the window, then other senders whom no roster names and of
// whom something is registered (SCIENCE 9).
func (o *Outcome) contributions(v *fold.View) []message.Contribution {
	var rows []message.Contribution
	registered := func(name string) science.Agent {
		at := slices.IndexFunc(o.agents, func(a science.Agent) bool { return protocol.SameAgent(a.Name, name) })
		if at < 0 || protocol.SameAgent(name, protocol.Operator) {
			return science.Agent{}
		}
		return o.agents[at]
	}
	for _, who := range o.Contributors {
		a := registered(who.Agent)
		rows = append(rows, message.Contribution{Agent: who.Agent, Deltas: who.Deltas, Items: texts(who.Items), Program: a.Program,
			Model: a.Model})
	}
	for _, name := range v.Science.Roll.Unrostered() {
		a := registered(name)
		listed := slices.ContainsFunc(rows, func(row message.Contribution) bool { return protocol.SameAgent(row.Agent, name) })
		if !listed && a.Program+a.Model != "" {
			rows = append(rows, message.Contribution{Agent: name, Program: a.Program, Model: a.Model})
		}
	}
	return rows
}

// changes describes items, each with the text that its list has for it.
func changes(v *fold.View, ids []artifact.ItemID, text func(*artifact.Item) string) []message.Change {
	changes := make([]message.Change, len(ids))
	for i, id := range ids {
		changes[i] = message.Change{Item: string(id)}
		if it := v.Fold.Artifact().Item(id); it != nil {
			changes[i].Text = text(it)
		}
	}
	return changes
}

func title(it *artifact.Item) string { return it.Title() }

func killReason(it *artifact.Item) string {
	if it.Killed == nil {
		return ""
	}
	return it.Killed.Reason
}

func conflictLine(c merge.Conflict) string {
	losers := make([]string, len(c.Losers))
	for i, l := range c.Losers {
		losers[i] = claimText(l)
	}
	return fmt.Sprintf("%s.%s: %s stands; against %s", c.Item, c.Field, claimText(c.Winner), strings.Join(losers, ", "))
}

func claimText(c merge.Claim) string {
	value := protocol.Shorten(string(artifact.AppendValue(nil, c.Value)), 120)
	if c.Agent == "" {
		return value + " (the value before)"
	}
	return fmt.Sprintf("%s by %s (message %d)", value, c.Agent, c.MessageID)
}

func texts(ids []artifact.ItemID) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = string(id)
	}
	return list
}

func hasPrefix(code protocol.Code, prefix string) bool {
	return strings.HasPrefix(string(code), prefix)
}
