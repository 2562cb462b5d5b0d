// Package literature reads and writes bibliographic entries: BibTeX, RIS, CSL-JSON and PubMed's nbib come in, BibTeX, RIS and
// CSL-JSON go out (SCIENCE 1, literature in and out). Whatever the format, an entry is one Item, in the terms of CSL-JSON.
//
// Files come from anywhere: every reader takes time linear in the file and memory in proportion to it, and refuses what is
// nested too deep, repeated too often or too long before the memory is spent.
package literature
