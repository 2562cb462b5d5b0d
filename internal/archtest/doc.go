// Package archtest holds the house to its plan: a table of packages with their rings and
// what each may import, checked against the code. Whatever the table does not allow is
// denied, a package that it does not name included. See ARCHITECTURE.md for the reasons.
package archtest
