// Package teamtest holds the end-to-end test of a team's server: real PostgreSQL with a streaming standby, real nginx with the
// configuration of deploy/, and several brenner serve that are killed while agents and a page work through the proxy.
package teamtest
