package prompt

import (
	"strings"

	"brenner/internal/protocol"
)

// belief asks a role for what it believes, with an example inside an outer fence, so that it is not
// taken for a statement.
func belief(role protocol.Role) string {
	const (
		numbers = `{"credences": {"H1": 0.4, "H2": 0.3, "none": 0.2}, ` +
			`"likelihoods": {"T2": {"H1": "73 ± 1 h", "H2": "60–70 h", "none": "< 60 h"}}, ` +
			`"rationale": "§12 speaks for H1; a third clock would be faster than both."}`
		likelihoods = `{"likelihoods": {"T1": {"labels": ["kept", "lost"], "H1": [0.9, 0.1], "H2": [0.2, 0.8]}, ` +
			`"T2": {"H1": "73 ± 1 h", "H2": "60–70 h", "none": "< 60 h"}}, ` +
			`"rationale": "One graft in ten fails; a third clock would be faster than both."}`
		attacked = `{"credences": {"H1": 0.2, "H2": 0.3, "none": 0.4}, "likelihoods": {"T2": {"none": "80 +10 -5 h"}}, ` +
			`"rationale": "If size is read, H1 explains nothing that H2 does not, and large embryos would be later than both say."}`
	)
	ask, block := "How likely is each hypothesis? Say so with your hypotheses: ", numbers
	switch role {
	case protocol.RoleTestDesigner:
		ask, block = "How likely is each outcome of a test under each hypothesis? Say so before it is run: ", likelihoods
	case protocol.RoleAdversarialCritic:
		ask, block = "How likely is each hypothesis after your attack? Say so with it: ", attacked
	}
	return ask + mustRead("belief") + "\n" + strings.Join([]string{"~~~~markdown", "```belief", block, "```", "~~~~"}, "\n") + "\n"
}
