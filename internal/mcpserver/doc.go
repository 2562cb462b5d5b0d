// Package mcpserver is the door through which agents come in: the mail tools of the wire
// contract, tools of our own for research sessions, resources and prompts, over MCP. It decodes
// what clients send, liberally, calls mail and session, and encodes what they answer; no rule of
// the protocol lives here.
//
// Two kinds of HTTP client are served side by side. Those that follow the specification open a
// session and are left to the SDK; those that send a bare tools/call without any handshake are
// answered directly, in plain JSON.
package mcpserver
