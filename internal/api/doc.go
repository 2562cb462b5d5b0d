// Package api is the JSON API under /api/v1: what a page, a script or another program can read of
// a project, the live events, and everything that writes. Writing passes one gate: lab mode, a
// request of this site, and a name that the caller may act under. The objects are those of the
// command line's --json.
package api
