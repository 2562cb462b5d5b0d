// Package program knows how agent programs are started: the words of the command line, the files
// and the environment that give a program its identity on MCP, and how it gets its prompt. It
// starts nothing itself, and it never touches a person's own settings of a program: what a program
// needs to know goes into a private folder of the run.
package program
