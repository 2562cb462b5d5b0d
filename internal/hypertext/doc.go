// Package hypertext reads pages that others wrote: the text of HTML and XML, and whether a page is inert.
package hypertext
