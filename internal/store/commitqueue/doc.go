// Package commitqueue is the group commit of the SQL engines: a queue of calls, one goroutine that runs many of them in
// one transaction, and the rules for what happens when one of them fails, when its caller leaves and when the store closes.
package commitqueue
