// Package draw shows a genealogy: as a tree of text, for Graphviz and Mermaid, and as a picture with places
// for everything, which is also written as SVG. It is pure: a graph comes in, text goes out.
package draw
