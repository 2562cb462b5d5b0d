// Package similar tells whether two short texts say nearly the same, and finds the text most alike among many.
package similar
