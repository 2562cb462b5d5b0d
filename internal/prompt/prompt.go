package prompt

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"brenner/internal/protocol"
)

//go:embed text
var texts embed.FS

// RoleUnified is the text for sessions without separate roles.
const RoleUnified protocol.Role = "unified"

// For returns the whole prompt of a role: method, duty, contract, beliefs, checklist. own replaces the
// built-in text of the role when a project has its own.
func For(role protocol.Role, own string) (string, bool) {
	duty := own
	if duty == "" {
		var ok bool
		if duty, ok = read(string(role)); !ok {
			return "", false
		}
	}
	return strings.Join([]string{
		"### How we work\n\n" + mustRead("kernel"),
		"### Your part: " + roleTitle(role) + "\n\n" + strings.TrimSpace(duty) + "\n",
		"### How you contribute\n\n" + fmt.Sprintf(mustRead("contract"), example(role)),
		"### What you believe\n\n" + belief(role),
		"### Before you send\n\n" + mustRead("checklist"),
	}, "\n"), true
}

func read(name string) (string, bool) {
	text, err := texts.ReadFile("text/" + name + ".md")
	return string(text), err == nil
}

func mustRead(name string) string {
	text, ok := read(name)
	if !ok {
		panic("prompt: no text " + name) // the files are compiled in
	}
	return text
}

func roleTitle(role protocol.Role) string {
	switch role {
	case protocol.RoleHypothesisGenerator:
		return "Hypothesis Generator"
	case protocol.RoleTestDesigner:
		return "Test Designer"
	case protocol.RoleAdversarialCritic:
		return "Adversarial Critic"
	}
	return "Research Agent"
}

// example is a valid delta of the kind the role sends most. It is inside an outer fence,
// so that no merge ever takes it for one.
func example(role protocol.Role) string {
	d := addition{Section: "hypothesis_slate", Payload: hypothesisExample,
		Rationale: "The excerpt rules out neither; this is the reading that makes both moot."}
	switch role {
	case protocol.RoleTestDesigner:
		d = addition{Section: "discriminative_tests", Payload: testExample,
			Rationale: "H1 and H2 part where the donor is old; this decides between them."}
	case protocol.RoleAdversarialCritic:
		d = addition{Section: "adversarial_critique", Payload: critiqueExample,
			Rationale: "Every test so far assumes that position and history are the only two sources."}
	}
	return encoded(d)
}

// addition is a delta block that adds an item.
type addition struct {
	Operation string  `json:"operation"`
	Section   string  `json:"section"`
	Target    *string `json:"target_id"`
	Payload   any     `json:"payload"`
	Rationale string  `json:"rationale"`
}

// encoded writes a block as JSON for people to read. No line of it can end a fence: texts are quoted.
func encoded(d addition) string {
	d.Operation = "ADD"
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d); err != nil {
		panic(err) // plain data always encodes
	}
	return strings.TrimSpace(text.String())
}

type (
	hypothesis struct {
		Name      string   `json:"name"`
		Claim     string   `json:"claim"`
		Mechanism string   `json:"mechanism"`
		Anchors   []string `json:"anchors"`
		Third     bool     `json:"third_alternative"`

		Evidence   []string    `json:"evidence_refs,omitempty"`
		References []reference `json:"references,omitempty"`
	}
	reference struct {
		Session  string `json:"session"`
		Item     string `json:"item"`
		Relation string `json:"relation"`
	}
	test struct {
		Name     string         `json:"name"`
		Do       string         `json:"procedure"`
		Between  string         `json:"discriminates"`
		Outcomes outcomes       `json:"expected_outcomes"`
		Potency  string         `json:"potency_check"`
		Score    map[string]int `json:"score"`
	}
	outcomes struct {
		H1 string `json:"H1"`
		H2 string `json:"H2"`
	}
	critique struct {
		Name     string `json:"name"`
		Attack   string `json:"attack"`
		Evidence string `json:"evidence"`
		Status   string `json:"current_status"`
		Third    bool   `json:"real_third_alternative"`
	}
)

var (
	hypothesisExample = hypothesis{
		Name: "Neither map nor memory", Claim: "Cells settle their fate by a vote among neighbours, after the fact.",
		Mechanism: "Mutual inhibition amplifies small differences until one state wins in each patch.",
		Anchors:   []string{"§12", "[inference] from §14"}, Third: true,
	}
	testExample = test{
		"Old donor, young host", "Move ten cells from a late embryo to the same place in an early one; score fate after two days.",
		"H1 vs H2", outcomes{"The cells keep the donor's fate", "The cells take the host's fate"},
		"Moved within one age they must change fate, or the graft did not take.",
		map[string]int{"likelihood_ratio": 3, "cost": 1, "speed": 2, "ambiguity": 2},
	}
	critiqueExample = critique{
		"The two-source frame", "Position and history may both be read from a third quantity, such as cell size.",
		"Fate follows size where size and position are uncoupled.", "Serious: untested so far", true,
	}
)
