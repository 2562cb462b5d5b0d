// Package genealogy is the graph of references across the sessions of a project (PROTOCOL
// 13): which item extends, refines or refutes which, where an idea began, which references
// close a cycle and which lead nowhere yet. Artifacts keep every reference as it was
// written; what the graph makes of them is decided here. All of it takes linear time, up to
// a logarithm where there are cycles, and no recursion follows the length of a chain.
package genealogy
