// Package lint judges an artifact by the rules of PROTOCOL 9. It reads a document, whether
// folded from a thread or parsed from a file; a file's outline adds what only a file can get
// wrong, and the lines of what is found. Each section has its rules in a file of its own;
// ids, severities and fixes come from the table of codes.
package lint
