// Package review says who has checked a hypothesis (SCIENCE 7): which families of models its authors
// and critics belong to, which attacks were made on it, and what is owed.
package review
