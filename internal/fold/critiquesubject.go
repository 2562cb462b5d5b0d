package fold

import (
	"fmt"
	"strings"

	"brenner/internal/message"
	"brenner/internal/pattern"
)

// rebuttalSubject begins the record of a rebuttal: the subject says what it settles, so that a
// fold finds it wherever the thread travels.
var rebuttalSubject = pattern.Lazy(`^INFO: Rebuttal of critique #([1-9][0-9]*)(?:$|[^0-9])`)

func rebutted(subject string) (id string, ok bool) {
	m := rebuttalSubject().FindStringSubmatch(subject)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// A promotion says which critique became an item, by its origin id as well. Older ones are known by their subject alone.
var promotionSubject = pattern.Lazy(`^DELTA\[human\]: Promote critique #?([1-9][0-9]*)$`)

// Promotion describes the DELTA that makes an item of a critique.
func Promotion(c Critique) string {
	return fmt.Sprintf("Promote critique %d", c.OriginID)
}

func promoted(subject string) (id string, ok bool) {
	m := promotionSubject().FindStringSubmatch(subject)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// Rebuttal records that a critique was answered without changing the artifact.
func Rebuttal(c Critique, text string) message.Notice {
	return message.Notice{
		Subject: fmt.Sprintf("INFO: Rebuttal of critique #%d", c.OriginID),
		Body: strings.Join([]string{
			"# Rebuttal", "## Critique", fmt.Sprintf("#%d", c.OriginID), "## Rebuttal", message.Contain(text), "",
		}, "\n\n"),
	}
}
