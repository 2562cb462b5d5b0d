// Package runner plays rounds of a session unattended: it starts the program of each agent, takes
// what the agent mailed or printed, compiles, and opens the next round, until nothing new comes, the
// limit is reached or a person says stop. What it does can be read from the thread and from the
// folder of the run, so that one that crashed goes on where it was (doc/operator.md).
package runner
