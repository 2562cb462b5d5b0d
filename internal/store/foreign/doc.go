// Package foreign is a store on another program's Agent Mail server, reached over MCP. It does what
// that server's tools allow and says NOT_ALLOWED to the rest, never pretending: nothing is atomic
// there, so that versions are checked before and after they are published and a race is reported.
//
// Mail from such a server is judged leniently: it is there already and cannot be refused any more
// (PROTOCOL 1, 3). What is sent through this store was judged by mail.Service before.
package foreign
