package session

import (
	"fmt"
	"strconv"
)

// The texts of an activity are the same on every surface. What is not known is empty: each surface has a
// placeholder of its own.

// StateText is the verdict, or that a person paused the program.
func (a *Activity) StateText() string {
	if a.Paused {
		return "paused"
	}
	return string(a.State)
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
