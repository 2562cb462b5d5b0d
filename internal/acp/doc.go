// Package acp speaks the Agent Client Protocol, version 1: JSON-RPC 2.0, a message a line, over the standard streams of an agent's
// program. Agent is the client's side, which starts a program and talks with it; Serve is the program's, for agents that play a script.
package acp
