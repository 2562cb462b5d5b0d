// Package notify tells a person who looks elsewhere that something happened: by a command, the bell of the terminal,
// or a request to a program on this machine. Each thing is told once, by the process that notices it first.
package notify
