// Package planner decides for an engine what appending messages writes, without any I/O: every store gives its messages
// the same ids, times, chain hashes and deliveries (doc/adr/0004).
package planner
