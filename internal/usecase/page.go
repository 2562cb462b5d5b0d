package usecase

import (
	"fmt"
	"strings"
)

// Page writes the offers as the page of the documentation.
func Page() string {
	var b strings.Builder
	b.WriteString("# Use cases\n\nMade by `make docs`. Where each use case is offered: the command, the tool of MCP, the route of the " +
		"API below `/api/v1`, the page; " +
		"and why it is not offered elsewhere. Tools, routes and flags of the declared ones (the first rows) are made from one " +
		"declaration in `internal/usecase`.\n\n" +
		"| use case | command | tool | route | page | why not elsewhere |\n|---|---|---|---|---|---|\n")
	for _, o := range Offers() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", o.What, codes(o.Commands), codes(o.Tools), codes(o.Routes), codes(o.Pages),
			o.Why)
	}
	return b.String()
}

// codes writes names as code.
func codes(names string) string {
	var list []string
	for _, name := range Names(names) {
		list = append(list, "`"+name+"`")
	}
	return strings.Join(list, ", ")
}

// Names splits the names of an offer.
func Names(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ", ")
}
