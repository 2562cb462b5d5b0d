// Package markdown is the Markdown form of an artifact (PROTOCOL 8): Render writes it, Parse
// reads it back, HTML shows it as a page of its own. Parse is the inverse of Render for any
// field value, and it reads what people write by hand in the same shape, with an Outline of
// the file for the linter and a finding for whatever it cannot place.
package markdown
