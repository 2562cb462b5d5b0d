// Package cockpit puts the agents of a session into the panes of a tmux session: each roster entry
// gets its program, its identity on MCP, its role and the kickoff. It can say beforehand what it
// would start, show what runs, and end all of it so that no process stays behind.
package cockpit
