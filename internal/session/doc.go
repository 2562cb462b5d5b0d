// Package session holds the use cases of a research session: start, send, compile, publish,
// persist, status, complete. It composes the pure kernel with a mail store, a clock and a
// work tree; every surface (command line, MCP, web) calls it and adds no rule of its own.
package session
