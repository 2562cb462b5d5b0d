// Package process looks at processes of this machine: whether one lives, and since when. A number
// alone does not name a process, since numbers are used again; the start time tells them apart.
package process
