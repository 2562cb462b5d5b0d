package web_test

import (
	"fmt"
	"testing"

	"brenner/internal/mail/transfer"
)

// BenchmarkManySessions asks for the pages that list sessions, in projects with more and more of them: beyond a page they must not grow.
func BenchmarkManySessions(b *testing.B) {
	for _, sessions := range []int{20, 3000} {
		s := benchSite(b)
		for i := range sessions {
			thread := fmt.Sprintf("RS-20260110-cells-%04d", i)
			s.begin(thread, fmt.Sprintf("Why do cells turn in assay %d?", i), "BlueLake", "RedSky")
			line := transfer.Line{
				ThreadID: thread, From: "BlueLake", To: []string{"RedSky"}, Subject: "DELTA[gpt]: one more",
				Body: assays(0, 1), CreatedAt: s.now,
			}
			if _, err := transfer.ImportLines(b.Context(), s.Mail(), []transfer.Line{line}, nil); err != nil {
				b.Fatal(err)
			}
		}
		for _, path := range []string{"/", "/now"} {
			b.Run(fmt.Sprintf("%d%s", sessions, path), func(b *testing.B) {
				s.see(path)
				size := 0
				for b.Loop() {
					size = s.once(path, "cold")
				}
				b.ReportMetric(float64(size)/1000, "kB")
			})
		}
	}
}
