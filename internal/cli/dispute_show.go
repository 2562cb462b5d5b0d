package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/dispute"
	"brenner/internal/dispute/play"
	"brenner/internal/literature"
	"brenner/internal/protocol"
)

func newDisputeShow(a *app) *cobra.Command {
	var arm string
	var answer bool
	cmd := &cobra.Command{
		Use:   "show NAME|DIR",
		Short: "Show a dispute: question, rivals, tests, sources; with --answer what was found",
		Long: `Show what agents get who play a dispute: the question, the rivals, the tests with what each rival expects of
them, and the sources of the time. What was found stays sealed; --answer opens it, with what was known when
and what to read.`,
		Example:           "  brenner dispute show opera --arm renamed\n  brenner dispute show opera --answer",
		Args:              exactly("NAME|DIR"),
		ValidArgsFunction: completeDisputes,
	}
	armFlag(cmd, &arm)
	cmd.Flags().BoolVar(&answer, "answer", false, "open the results, and say how it was settled")
	return a.command(cmd, func(_ context.Context, args []string) (report, error) {
		chosen, err := checkArm(cmd, arm)
		if err != nil {
			return nil, err
		}
		d, err := fitDispute(args[0])
		if err != nil {
			return nil, err
		}
		staged := d.Stage(chosen)
		r := newDisputeReport(staged)
		if answer {
			r.unseal(d, staged)
		}
		return r, nil
	})
}

// armFlag defines --arm.
func armFlag(cmd *cobra.Command, arm *string) {
	cmd.Flags().StringVar(arm, "arm", string(dispute.Named),
		"`ARM`: named, renamed (its entities disguised) or flipped (fiction: another rival wins)")
	var names []string
	for _, one := range dispute.Arms() {
		names = append(names, string(one))
	}
	completeFlag(cmd, "arm", fixed(names))
}

func checkArm(cmd *cobra.Command, arm string) (dispute.Arm, error) {
	if !slices.Contains(dispute.Arms(), dispute.Arm(arm)) {
		return "", usageFor(cmd, "--arm is named, renamed or flipped, not %q", protocol.Shorten(arm, 40))
	}
	return dispute.Arm(arm), nil
}

// disputeReport is a dispute in one arm.
type disputeReport struct {
	Name       string            `json:"name"`
	Arm        dispute.Arm       `json:"arm"`
	Title      string            `json:"title"`
	Question   string            `json:"question"`
	Context    string            `json:"context"`
	Hypotheses []disputeItem     `json:"hypotheses"`
	Tests      []disputeTest     `json:"tests"`
	Sources    []disputeSource   `json:"sources"`
	Answer     *string           `json:"answer"` // null unless asked for
	Answered   *string           `json:"answered"`
	Decisive   []string          `json:"decisive"`
	Known      *string           `json:"known"`
	Read       []disputeReading  `json:"read"`
	SHA256     string            `json:"sha256"` // of dispute.yaml
	Renaming   map[string]string `json:"renaming,omitempty"`
}

type disputeItem struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Claim string `json:"claim"`
}

type disputeTest struct {
	ID       string                  `json:"id"`
	Name     string                  `json:"name"`
	Effort   float64                 `json:"effort"`
	Expected map[string]dispute.Said `json:"expected"`
	SHA256   string                  `json:"sha256"` // of the sealed result
	Found    *string                 `json:"found"`
	Note     *string                 `json:"note"`
}

type disputeSource struct {
	ID    string  `json:"id"`
	Title string  `json:"title"`
	Cite  *string `json:"cite"` // null where it would give the names away
}

type disputeReading struct {
	Cite string `json:"cite"`
	Link string `json:"link"`
	Note string `json:"note"`
}

func newDisputeReport(s *dispute.Staged) disputeReport {
	r := disputeReport{Name: s.Name, Arm: s.Arm, Title: s.Title, Question: s.Question, Context: strings.TrimSpace(s.Context),
		SHA256: s.SHA256, Decisive: []string{}, Read: []disputeReading{}, Sources: []disputeSource{}}
	for i, h := range s.Hypotheses {
		r.Hypotheses = append(r.Hypotheses, disputeItem{dispute.HypothesisID(i), h.Name, h.Claim})
	}
	for i, t := range s.Tests {
		seal := s.Seal(dispute.TestID(i))
		r.Tests = append(r.Tests, disputeTest{ID: seal.Test, Name: t.Name, Effort: t.Score.Effort(), Expected: t.Expected,
			SHA256: seal.SHA256})
	}
	for _, n := range s.Notes {
		r.Sources = append(r.Sources, disputeSource{n.Source, n.Title, citation(n.Cite)})
	}
	return r
}

// unseal adds what was found, and the answer.
func (r *disputeReport) unseal(d *dispute.Dispute, s *dispute.Staged) {
	for i := range r.Tests {
		seal := s.Seal(r.Tests[i].ID)
		found := seal.Found()
		r.Tests[i].Found, r.Tests[i].Note = &found, protocol.OrNull(seal.Note)
	}
	r.Answer, r.Answered, r.Decisive, r.Renaming = &s.Answer, &s.Answered, protocol.NonNil(s.Decisive), d.Renaming
	if s.Arm != dispute.Flipped {
		r.Known = &d.Known
	}
	for _, one := range d.Read {
		r.Read = append(r.Read, disputeReading{one.Cite.String(), one.Cite.Link(), one.Note})
	}
}

func citation(cite *literature.Item) *string {
	if cite == nil {
		return nil
	}
	text := cite.String()
	return &text
}

func (r disputeReport) show(p *printer) {
	p.print("%s\n%s\n\n", p.style(styleBold, visible(r.Title)), visible(r.Question))
	p.text(r.Context + "\n\n")
	for _, h := range r.Hypotheses {
		p.print("%s  %s\n    %s\n", h.ID, p.style(styleBold, visible(h.Name)), visible(h.Claim))
	}
	for _, t := range r.Tests {
		p.print("\n%s  %s, effort %.1f\n", t.ID, p.style(styleBold, visible(t.Name)), t.Effort)
		for _, id := range slices.Sorted(maps.Keys(t.Expected)) {
			p.print("    %s  %s\n", id, visible(string(t.Expected[id])))
		}
		if t.Found != nil {
			p.print("    found: %s\n", visible(*t.Found))
		} else {
			p.print("    sealed: %s\n", p.style(styleDim, t.SHA256))
		}
	}
	p.print("\n")
	for _, s := range r.Sources {
		p.print("%s  %s\n", s.ID, visible(s.Title))
		if s.Cite != nil {
			p.print("    %s\n", visible(*s.Cite))
		}
	}
	if r.Answer != nil {
		p.print("\nanswer: %s, by %s\n%s\n", *r.Answer, strings.Join(r.Decisive, ", "), visible(strings.TrimSpace(*r.Answered)))
		if r.Known != nil {
			p.text("\n" + *r.Known)
		}
		for _, one := range r.Read {
			p.print("\n%s\n%s\n%s\n", visible(one.Cite), visible(one.Link), visible(one.Note))
		}
		return
	}
	p.next("brenner", "dispute", "show", r.Name, "--answer")
}

func newDisputeCheck(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "check NAME|DIR",
		Short: "Judge a dispute: whether its folder is whole, and its twin and its disguise hold",
		Long: `Judge the folder of a dispute: whether everything is there, whether every result is an outcome that some rival
expects, whether notes that rest on memory say so, whether sources are of the time, and whether the renamed arm
still says a name. Exit code 3 if it is not fit to be played.`,
		Example:           "  brenner dispute check opera\n  brenner dispute check ./disputes/mine",
		Args:              exactly("NAME|DIR"),
		ValidArgsFunction: completeDisputes,
	}, func(_ context.Context, args []string) (report, error) {
		d, findings, err := readDispute(args[0])
		if err != nil {
			return nil, err
		}
		r := disputeCheckReport{Name: d.Name, Findings: protocol.NonNil(findings)}
		if protocol.HasErrors(findings) {
			return r, notFit(d.Name, findings)
		}
		for _, arm := range dispute.Arms() {
			s := d.Stage(arm)
			r.Reach = append(r.Reach, armReach{arm, s.Answer, play.ReachOf(s)})
		}
		return r, nil
	})
}

type disputeCheckReport struct {
	Name     string             `json:"name"`
	Findings []protocol.Finding `json:"findings"`
	Reach    []armReach         `json:"reach"` // of somebody who finds all worlds equal and believes what the rivals expect
}

// armReach is how far the results of an arm bring belief.
type armReach struct {
	Arm    dispute.Arm `json:"arm"`
	Answer string      `json:"answer"`
	play.Reach
}

func (r armReach) line() string {
	switch {
	case r.Answer == dispute.Open:
		return "the question is open; the results lean to " + r.Leader
	case r.Effort == nil:
		return fmt.Sprintf("all results leave the answer, %s, at %.0f %%; the leader is %s", r.Answer, 100*r.Belief, r.Leader)
	}
	return fmt.Sprintf("all results bring the answer, %s, to %.1f %%; %s alone make it sure, with effort %.1f", r.Answer, 100*r.Belief,
		strings.Join(r.Tests, ", "), *r.Effort)
}

func (r disputeCheckReport) show(p *printer) {
	p.findings(r.Findings, nil)
	if !protocol.HasErrors(r.Findings) {
		p.print("%s is fit to be played\n", r.Name)
		for _, one := range r.Reach {
			p.print("  %-8s %s\n", one.Arm, one.line())
		}
		p.next("brenner", "dispute", "show", r.Name)
	}
}
