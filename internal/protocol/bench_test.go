package protocol

import "testing"

// BenchmarkSubject is on the path of every message of a fold.
func BenchmarkSubject(b *testing.B) {
	for b.Loop() {
		ParseSubject("DELTA[opus]: Added third alternative H3 + supporting predictions", Strict)
	}
}

func BenchmarkThreadID(b *testing.B) {
	for b.Loop() {
		CheckThreadID("RS-20251230-cell-fate-dichotomy")
	}
}
