// Package delta reads the delta blocks of a message: it finds the fences, decodes their JSON
// with positions, checks structure and fields against the artifact's table, and writes the
// receipt. It judges a message alone; what only the thread can know is the merge's part.
package delta
