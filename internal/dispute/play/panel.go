package play

import "brenner/internal/dispute"

// names are what baselines are called as agents.
var names = map[dispute.Baseline]string{
	dispute.Uniform: "EvenHand", dispute.Stubborn: "StoneWall", dispute.Follower: "WeatherVane", dispute.Bayesian: "PlainScale",
	dispute.Greedy: "SharpScale", dispute.ByNext: "ClearScale",
}

// player is a baseline as an agent.
func player(b dispute.Baseline) Player {
	return Player{Name: names[b], Program: "brenner-baseline", Model: string(b), Baseline: b}
}

// Name is what a baseline is called as an agent.
func Name(b dispute.Baseline) string { return names[b] }

// Panel is the cast for a baseline: itself, and for the follower, who needs somebody to follow, before it one who updates and one who does
// not.
func Panel(b dispute.Baseline) []Player {
	if b == dispute.Follower {
		return []Player{player(dispute.Bayesian), player(dispute.Stubborn), player(b)}
	}
	return []Player{player(b)}
}
