package liveness

import (
	"fmt"

	"brenner/internal/protocol"
)

// nextStep is what a person would do about the state, in words and as an action; nil: nothing that an operation does.
func (s *survey) nextStep(state State) (string, *protocol.Action) {
	of := func(do string) protocol.Action { return protocol.OfAgent(do, "", s.Agent) }
	switch state {
	case Working:
		return "nothing: let it work", nil
	case Waiting:
		return "nothing: mail to it wakes it", nil
	case Resting:
		return "nothing: it is started again when its service takes more", nil
	case Asks:
		return s.whenAsked(of)
	case SignedOut:
		return doing("sign in, then start its program again", of("restart"))
	case Failing:
		return doing("look at what it prints; its service may be down", of("logs"))
	case Idle:
		return s.whenIdle(of)
	case Silent:
		return s.whenSilent(of)
	case Dead:
		return doing("start its program again"+s.freeLeases(), of("restart"))
	default:
		return doing("see that its program runs and is connected; then ask it",
			protocol.Operation("doctor").Before(protocol.Action{Do: "mail.send", With: protocol.Arguments{To: s.Agent}}))
	}
}

func (s *survey) whenIdle(of func(do string) protocol.Action) (string, *protocol.Action) {
	switch {
	case s.cause == CausePaused:
		return doing("let it go on", of("resume"))
	case s.Complete:
		return "nothing: a KICKOFF reopens the session", nil
	case !s.Retired.IsZero():
		return doing("register it again if it should take part", of("mail.register"))
	}
	return doing("send it mail if there is work for it", protocol.Action{Do: "mail.send", With: protocol.Arguments{To: s.Agent}})
}

// whenAsked: a key answers in a pane, where it is known which.
func (s *survey) whenAsked(of func(do string) protocol.Action) (string, *protocol.Action) {
	switch {
	case s.asked.Pane == "" && len(s.asked.Choices) > 0:
		press := of("nudge")
		press.With.Key = s.asked.Choices[0].Key
		return doing("answer it with a key", press)
	case s.asked.Pane == "":
		return "answer it where its program runs", nil
	case len(s.asked.Choices) == 0:
		return doing("answer it in pane "+s.asked.Pane, protocol.Operation("cockpit.attach"))
	}
	press := of("nudge")
	press.With.Key = s.asked.Choices[0].Key
	return doing("press the key of your answer in its pane", press)
}

func (s *survey) whenSilent(of func(do string) protocol.Action) (string, *protocol.Action) {
	switch s.cause {
	case CauseNotConnected:
		if pane := s.pane(); pane != "" {
			return doing("answer what its program asks in pane "+pane, protocol.Operation("cockpit.attach"))
		}
		return "answer what its program asks", nil
	case CauseDeadline:
		return doing("end the run and start it again",
			protocol.Action{Do: "run", With: protocol.Arguments{Stop: true}}.Before(protocol.Operation("run")))
	case CauseNoContribution:
		return doing("read what it printed, then start it again", of("logs").Before(of("restart")))
	}
	words := "remind it; if it stays silent look at its program and start that again"
	if pane := s.pane(); pane != "" {
		words += " (pane " + pane + ")"
	}
	return doing(words, protocol.Operation("acks.run-once"))
}

func doing(words string, a protocol.Action) (string, *protocol.Action) { return words, &a }

// pane is where its program can be looked at; empty: nowhere.
func (s *survey) pane() string {
	for _, p := range s.Processes {
		if p.Pane != "" && p.life() != Gone {
			return p.Pane
		}
	}
	return ""
}

// freeLeases: what a dead agent holds keeps others from working.
func (s *survey) freeLeases() string {
	if len(s.Leases) == 0 {
		return ""
	}
	last := s.Leases[0].Expires
	for _, l := range s.Leases {
		last = later(last, l.Expires)
	}
	return fmt.Sprintf("; its leases (%d) are free at %s", len(s.Leases), Instant{last})
}
