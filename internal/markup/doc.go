// Package markup knows the structure of CommonMark text: headings, sections and fences, with
// their positions in the text as sent. It is the one owner of the Markdown library.
package markup
