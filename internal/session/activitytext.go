package session

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"brenner/internal/liveness"
)

// The texts of an activity are the same on every surface. What is not known is empty: each surface has a
// placeholder of its own.

// StateText is the verdict, or that a person paused the program.
func (a *Activity) StateText() string {
	if a.Paused {
		return "paused"
	}
	return a.State.Words()
}

// LeftText is the time until the program is ended; it is negative once that time is over.
func (a *Activity) LeftText() string { return spanText(a.LeftS) }

// OutputAgeText is the time since the program last printed something.
func (a *Activity) OutputAgeText() string { return spanText(a.OutputAgeS) }

// CPUText is how busy the program is.
func (a *Activity) CPUText() string {
	if a.CPUPercent == nil {
		return ""
	}
	return fmt.Sprintf("%.0f%%", *a.CPUPercent)
}

// TokensText is how many tokens the program used, in thousands if there are many.
func (a *Activity) TokensText() string {
	if a.Usage == nil {
		return ""
	}
	n := a.Usage.InputTokens + a.Usage.OutputTokens
	if n < 10_000 {
		return strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n/1000, 10) + "k"
}

// CostText is what the program cost.
func (a *Activity) CostText() string {
	if a.Usage == nil || a.Usage.CostUSD == nil {
		return ""
	}
	return fmt.Sprintf("$%.2f", *a.Usage.CostUSD)
}

// spanText writes seconds in the largest unit of which there are two.
func spanText(seconds *int64) string {
	if seconds == nil {
		return ""
	}
	n, sign := *seconds, ""
	if n < 0 {
		n, sign = -n, "-"
	}
	switch {
	case n < 120:
		return fmt.Sprintf("%s%ds", sign, n)
	case n < 7200:
		return fmt.Sprintf("%s%dm", sign, n/60)
	}
	return fmt.Sprintf("%s%dh", sign, n/3600)
}

// DoingWord says in a word or two what an agent does.
type DoingWord string

// The words, those that need a person first.
const (
	AsksConsent  DoingWord = "asks for consent"
	IsSignedOut  DoingWord = "signed out"
	AsksQuestion DoingWord = "asks a question"
	HasEnded     DoingWord = "ended"
	IsSilent     DoingWord = "silent"
	IsFailing    DoingWord = "failing"
	IsPaused     DoingWord = "paused"
	IsResting    DoingWord = "resting"
	IsWorking    DoingWord = "working"
	IsIdle       DoingWord = "idle"
	NotJoined    DoingWord = "has not joined"
	NotSeen      DoingWord = "not seen"
)

// Doing says what an agent does, in a word and the rest of a sentence, to somebody who knows nothing of programs and messages. waits is
// what waits for a person. The rest is hostile text in part.
func (a *Activity) Doing(waits []ToDo, now time.Time) (word DoingWord, rest string) {
	for i := range waits {
		if t := &waits[i]; t.Kind == ToDoReply && t.Of(a.ThreadID, a.Agent) {
			return AsksQuestion, fmt.Sprintf("waits for your answer to #%d", t.MessageID)
		}
	}
	since := spoken(a.Since.Time, now)
	switch {
	case a.Paused:
		return IsPaused, "a person paused its program"
	case a.State == liveness.Asks:
		return AsksConsent, strings.TrimPrefix(a.Reason, "its program asks: ")
	case a.State == liveness.SignedOut:
		return IsSignedOut, strings.TrimPrefix(a.Reason, "its service does not know it: ")
	case a.State == liveness.Failing:
		return IsFailing, strings.TrimPrefix(a.Reason, "its service refuses it, and its program tries again: ")
	case a.Cause == liveness.CauseNotConnected:
		return AsksConsent, "its program waits in its window for a yes"
	case a.Cause == liveness.CauseNoContribution:
		return HasEnded, "without what it was asked for, " + since + " ago"
	case a.State == liveness.Dead:
		return HasEnded, "its program ended " + since + " ago"
	case a.State == liveness.Silent:
		return IsSilent, a.silence(since)
	case a.rests:
		return IsResting, a.LastLine
	case a.State == liveness.Resting:
		return IsResting, a.Reason
	case a.State == liveness.Working:
		return IsWorking, a.labour(since, now)
	case a.State == liveness.Waiting:
		return IsIdle, "waits for the next word, which wakes it"
	case a.State == liveness.Idle:
		return IsIdle, "has said all it was asked · " + since
	case a.Since.IsZero():
		return NotJoined, "nothing was heard of it yet"
	}
	return NotSeen, "for " + since
}

func (a *Activity) silence(since string) string {
	text := "nothing for " + since
	if a.Processes > 0 {
		text += ", its program still runs"
	}
	return text
}

func (a *Activity) labour(since string, now time.Time) string {
	last := "at it for " + since
	if !a.LastOutput.IsZero() {
		last = "last word " + spoken(a.LastOutput.Time, now) + " ago"
	}
	if a.LastLine != "" {
		return a.LastLine + " · " + last
	}
	return last
}

// spoken is the time since an instant, with its unit; a time that is not known is some time.
func spoken(since, now time.Time) string {
	d := now.Sub(since)
	switch {
	case since.IsZero():
		return "some time"
	case d < time.Minute:
		return fmt.Sprintf("%d\u00a0s", max(0, int(d/time.Second)))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d\u00a0min", int(d/time.Minute))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d\u00a0h", int(d/time.Hour))
	}
	return fmt.Sprintf("%d\u00a0days", int(d/(24*time.Hour)))
}
