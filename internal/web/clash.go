package web

import (
	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/fold"
	"brenner/internal/study"
)

// clashView is a value that agents set differently, with all that they asked for beside each other.
type clashView struct {
	Item, Field string
	Href        string      // the item
	Version     int         // of the messages; 0: they are pending
	Open        bool        // it is not decided
	Claims      []claimView // the value that is kept comes first
}

type claimView struct {
	By        figure.Agent
	Text      string
	Stands    bool
	MessageID int64
	Href      string
}

func clashOf(c fold.Conflict, thread string, cast study.Cast) clashView {
	v := clashView{Item: string(c.Item), Field: c.Field, Version: c.Version, Open: c.Open}
	for i, claim := range append([]fold.Claim{c.Stands}, c.Against...) {
		one := claimView{Text: short(600, claim.Text), Stands: i == 0, MessageID: claim.MessageID}
		if claim.Agent != "" {
			one.By, one.Href = cast.Of(claim.Agent), messageURL(thread, claim.MessageID)
		}
		v.Claims = append(v.Claims, one)
	}
	return v
}

func clashesOf(list []fold.Conflict, thread string, cast study.Cast) map[artifact.ItemID][]clashView {
	clashes := map[artifact.ItemID][]clashView{}
	for _, c := range list {
		clashes[c.Item] = append(clashes[c.Item], clashOf(c, thread, cast))
	}
	return clashes
}
