package liveness

import "fmt"

// nextStep is what a person would do about the state.
func (s *survey) nextStep(state State) string {
	switch state {
	case Working:
		return "nothing: let it work"
	case Waiting:
		return "nothing: mail to it wakes it"
	case Idle:
		if s.cause == CausePaused {
			return "let it go on: brenner resume T " + s.Agent
		}
		if s.Complete {
			return "nothing: a KICKOFF reopens the session"
		}
		if !s.Retired.IsZero() {
			return "register it again if it should take part: brenner mail register " + s.Agent
		}
		return "send it mail if there is work for it: brenner mail send --to " + s.Agent
	case Silent:
		switch s.cause {
		case CauseNotConnected:
			return "answer what its program asks" + s.lookAtPane()
		case CauseDeadline:
			return "end the run and start it again: brenner run T --stop, then brenner run T"
		case CauseNoContribution:
			return "read what it printed: brenner logs T " + s.Agent + "; then start it again: brenner restart T " + s.Agent
		}
		return "remind it: brenner acks run-once; if it stays silent look at its program and start that again" + s.lookAtPane()
	case Dead:
		return "start its program again: brenner restart T " + s.Agent + s.freeLeases()
	default:
		return "see that its program runs and is connected: brenner doctor; then ask it: brenner mail send --to " + s.Agent
	}
}

func (s *survey) lookAtPane() string {
	for _, p := range s.Processes {
		if p.Pane != "" && p.life() != Gone {
			return " (pane " + p.Pane + ": brenner cockpit attach T)"
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
