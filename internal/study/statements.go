package study

import (
	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/science"
)

// Statement is what an agent said it believes, in one message.
type Statement struct {
	By        figure.Agent
	Shares    []figure.Share // completed by the rule (SCIENCE 4), in the order of every bar; nil: it took back what it had said
	Withdrawn bool
	Rationale string
	Tables    []artifact.ItemID // tests for which it said how likely each outcome is
	MessageID int64
}

// Firsts are what each agent said first of what it believes, in the order of the log.
func (s *Study) Firsts() []Statement { return s.firsts }

func (b *builder) firsts() []Statement {
	var list []Statement
	seen := map[string]bool{}
	for _, c := range b.Science.Beliefs.Said.All() {
		if c.Withdrawn || seen[c.Agent] {
			continue
		}
		seen[c.Agent] = true
		held := c.Stated()
		list = append(list, Statement{By: b.Cast.Of(c.Agent), Rationale: c.Rationale, MessageID: c.MessageID,
			Shares: b.moment(science.Moment{Worlds: held.Worlds, Pooled: held.Masses})})
	}
	return list
}

// Said are the statements of a message.
func (s *Study) Said(messageID int64) []Statement { return s.said(messageID) }

func (b *builder) said(messageID int64) []Statement {
	var list []Statement
	for _, c := range b.Science.Beliefs.Said.All() {
		if c.MessageID != messageID {
			continue
		}
		one := Statement{By: b.Cast.Of(c.Agent), Withdrawn: c.Withdrawn, Rationale: c.Rationale}
		if !c.Withdrawn {
			held := c.Stated()
			one.Shares = b.moment(science.Moment{Worlds: held.Worlds, Pooled: held.Masses})
		}
		list = append(list, one)
	}
	tables := b.stated(messageID)
	if len(tables) > 0 && len(list) == 0 {
		list = append(list, Statement{})
	}
	for i := range list {
		list[i].Tables = tables
	}
	return list
}

// stated are the tests for which a message said how likely each outcome is.
func (b *builder) stated(messageID int64) []artifact.ItemID {
	var list []artifact.ItemID
	for i, t := range b.Science.Beliefs.Tests.All() {
		if t == nil {
			continue
		}
		for _, s := range t.Statements {
			if s.MessageID == messageID {
				list = append(list, artifact.NewItemID(artifact.DiscriminativeTests, i+1))
				break
			}
		}
	}
	return list
}
