// Package dispute reads disputes: scientific questions whose outcome is known, or still open, written down so that agents can argue
// about them as people did at the time. A dispute has rival hypotheses, tests with what each rival expects of them, sources of the
// time, and sealed results: a file for each, whose hash stands in the kickoff before anybody argues. The package is pure: it reads a
// file system that it is handed, and judges what it finds.
//
//	disputes/NAME/dispute.yaml     question, rivals, tests, answer, decisive tests, what to read, renaming
//	disputes/NAME/known.md         what was known when
//	disputes/NAME/sources/S1.md    a source of the time as a reading note, with its citation
//	disputes/NAME/sealed/T1.yaml   what the first test found
//	disputes/NAME/flipped/T1.yaml  what it finds in the fiction where another rival wins
package dispute
