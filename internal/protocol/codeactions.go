package protocol

import "sync"

// Action is the operation that does what the fix of the code says; nil: none does. It is shared: do not change it.
func (c Code) Action() *Action { return codeActions()[c] }

// codeActions says which operation does what the fix of a code says.
var codeActions = sync.OnceValue(func() map[Code]*Action {
	index := map[Code]*Action{}
	for _, row := range actionsOfCodes {
		for _, code := range row.codes {
			index[code] = &row.action
		}
	}
	return index
})

var actionsOfCodes = []struct {
	action Action
	codes  []Code
}{
	{Operation("session.start"), []Code{NoKickoff}},
	{Operation("delta.fix"), []Code{MB005, MB122, MB125, InvalidJSON, NoAcceptedDelta}},
	{Operation("mail.agents"), []Code{MB111, MB123}},
	{Operation("artifact.history"), []Code{AP009}},
	{Operation("compile"), []Code{AP103, NotVerifiable}},
	{Operation("mail.register").Giving("name"), []Code{UnknownAgent}},
	{Operation("session.unarchive").Giving("crate"), []Code{ThreadArchived}},
	{Given("roster"), []Code{NoRoster}},
	{Operation("roster.presets"), []Code{UnknownPreset}},
	{Given("to"), []Code{PresetSizeMismatch}},
	{Operation("cockpit.start").Giving("type-prompt"), []Code{NoPrompt}},
	{Operation("verify").Giving("repair"), []Code{KeptMismatch}},
	{Given("force"), []Code{Conflict}},
	{Given("help"), []Code{Usage}},
	{Operation("evidence.add").Giving("file"), []Code{EvidenceNotIndexed}},
	{Operation("result.record"), []Code{OutcomeMissing}},
	{Given("exploratory"), []Code{ResultWithoutPrediction}},
	{Given("allowed-signers"), []Code{UnknownSigner}},
	{Operation("thread.import"), []Code{ViewsNotRebuilt}},
}
