package web

import (
	"strings"

	"brenner/internal/commandline"
	"brenner/internal/protocol"
	"brenner/internal/usecase"
)

// way is how to do an action from a page: a page that does it, or the command to type.
type way struct{ Href, Command string }

// wayTo finds the page of an action, if the action says enough to go there.
func wayTo(a *protocol.Action) *way {
	if a == nil || a.Do == "" {
		return nil
	}
	page := usecase.PageOf(a.Command())
	if a.With.Thread != "" {
		page = strings.Replace(page, "/t/{thread}", threadURL(a.With.Thread), 1)
	}
	if page == "" || strings.Contains(page, "{") {
		return &way{Command: commandline.Of(*a)}
	}
	return &way{Href: page}
}
