// Package server is the HTTP house that `brenner serve` opens: MCP under its two addresses,
// liveness, readiness and metrics, and a place for the web app. It knows who may come in (Host,
// Origin, bearer tokens), how much a client may take (size, rate, time), and how to stop without
// dropping what is under way. It does not know the handlers behind it: they are handed in.
package server
