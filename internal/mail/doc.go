// Package mail is the durable log and the mailbox over it: projects, agents, messages with
// their deliveries, threads, events and leases. Store is the port that each engine
// implements; what is the same for all engines (the door, acknowledgements, import, export,
// proof, search syntax) lives here, above it.
//
// A thread is a log. The order of a thread is the order of its message ids, ids are given in
// commit order, and a message never changes once it is there (PROTOCOL 1). Everything else
// in a store — thread summaries, search index, folded states — can be made again from it.
package mail
