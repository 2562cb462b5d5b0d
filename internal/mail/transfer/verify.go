package transfer

import (
	"fmt"
	"slices"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// VerifyLines is mail.Service.Verify for the lines of an export. newProof makes the proof of each thread; it
// may be nil. A line without a chain hash beside others that have one is bad. NOT_VERIFIABLE: no line has one.
func VerifyLines(lines []Line, newProof func(thread string) mail.Proof) (mail.Verification, error) {
	if !slices.ContainsFunc(lines, func(l Line) bool { return l.Exported() }) {
		f := protocol.NewFinding(protocol.NotVerifiable, "None of %d lines carries a chain hash.", len(lines)).
			WithFix("Export the thread anew.").Doing(protocol.Operation("thread.export"))
		return mail.Verification{Messages: len(lines), Findings: []protocol.Finding{f}},
			protocol.Errorf(protocol.NotVerifiable, "nothing can be verified: none of %d lines carries a chain hash", len(lines))
	}
	threads := map[string]*mail.Verifier{}
	heard := &mail.Testimony{}
	var total mail.Verification
	for i := range lines {
		l := &lines[i]
		v := threads[l.ThreadID]
		if v == nil {
			var proof mail.Proof
			if newProof != nil && l.ThreadID != "" {
				proof = newProof(l.ThreadID)
			}
			v = mail.NewVerifier(proof)
			v.Heard = heard
			threads[l.ThreadID] = v
		}
		m := l.stored()
		before := v.Verification
		if l.Exported() {
			v.Next(&m)
		} else {
			v.Bad(m.ID, fmt.Sprintf("line %d has no chain hash, others have one", l.Number))
		}
		total.Messages += v.Messages - before.Messages
		total.Versions += v.Versions - before.Versions
		total.Findings = append(total.Findings, v.Findings[len(before.Findings):]...)
		if v.FirstBad != nil {
			total.FirstBad = v.FirstBad
			break
		}
	}
	total.Claims = heard.Claims()
	return total, nil
}

// stored returns the line as a message that a store would hold under the same id.
func (l *Line) stored() mail.Message {
	m := mail.Message{Message: l.Message(), ReplyOrigin: l.ReplyTo, ChainHash: l.ChainHash, ArtifactHash: l.ArtifactHash}
	m.Type = mail.Classify(l.Subject, l.Body, l.Intake)
	m.Version = mail.VersionOf(m.Type, &m.Message)
	return m
}

// checkChain tells which lines the chain of their export proves, and says where an export was changed after it was
// written. Such lines can be imported all the same, but not silently.
func checkChain(lines []Line) (proved []bool, findings []protocol.Finding) {
	proved = make([]bool, len(lines))
	chains := map[string]canon.Hash{}
	broken := map[string]bool{}
	for i := range lines {
		l := &lines[i]
		if !l.Exported() || broken[l.ThreadID] {
			continue
		}
		m := l.stored()
		previous := chains[l.ThreadID]
		if l.ThreadID == "" {
			previous = canon.Hash{}
		}
		if proved[i] = mail.ChainNext(previous, &m) == l.ChainHash; !proved[i] {
			broken[l.ThreadID] = true
			findings = append(findings, protocol.NewFinding(protocol.ChainBroken,
				"Line %d does not match its chain hash: the file was changed after its export.", l.Number).
				Lowered().At(l.Number, 0))
		}
		chains[l.ThreadID] = l.ChainHash
	}
	return proved, findings
}

// believed returns the lines with the intake that an import may believe: a line that no chain proves was judged by nobody
// we know (PROTOCOL 14).
func believed(lines []Line) ([]Line, []protocol.Finding) {
	proved, findings := checkChain(lines)
	list := slices.Clone(lines)
	for i := range list {
		if !proved[i] {
			list[i].Intake = protocol.Lenient
		}
	}
	return list, findings
}
