// Package arithmetic finds equations in a text and tells which do not hold (SCIENCE 1, NUM-001).
package arithmetic
