package prompt

import (
	"strings"

	"brenner/internal/protocol"
)

// belief asks a role for what it believes, with an example inside an outer fence, so that it is not
// taken for a statement.
func belief(role protocol.Role) string {
	const (
		credences   = `{"credences": {"H1": 0.4, "H2": 0.3, "none": 0.2}, "rationale": "§12 speaks for H1; the dose in §14 fits neither."}`
		likelihoods = `{"likelihoods": {"T1": {"labels": ["kept", "lost"], "H1": [0.9, 0.1], "H2": [0.2, 0.8]}}, "rationale": "One graft in ten fails."}`
		attacked    = `{"credences": {"H1": 0.2, "H2": 0.3, "none": 0.4}, "rationale": "If size is read, H1 explains nothing that H2 does not."}`
	)
	ask, block := "How likely is each hypothesis? Say so with your hypotheses: ", credences
	switch role {
	case protocol.RoleTestDesigner:
		ask, block = "How likely is each outcome of a test under each hypothesis? Say so before it is run: ", likelihoods
	case protocol.RoleAdversarialCritic:
		ask, block = "How likely is each hypothesis after your attack? Say so with it: ", attacked
	}
	return ask + "one JSON object in a fence tagged `belief`, in any message.\n" +
		"Credences sum to at most 1, `none` is the chance that all are wrong; each row of likelihoods has one number per label and sums to 1.\n" +
		"It is your own statement: a later one replaces it, recorded results update it, and how well it foresaw them is scored.\n\n" +
		strings.Join([]string{"~~~~markdown", "```belief", block, "```", "~~~~"}, "\n") + "\n"
}
