// Package diff says what changed between two artifacts, field by field and by whom, and who
// wrote each field of one (blame). A diff is complete: applied to the first artifact it
// gives the second, also where files were edited by hand and items vanished, came back to
// life or moved.
package diff
