// Package message knows what each type of message must say: the sections of its body, the
// rules MB and AP, the references a body carries, and the bodies that the program writes
// itself. It judges text alone; what only a project can know comes in as Facts.
package message
