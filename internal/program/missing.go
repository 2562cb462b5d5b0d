package program

import (
	"os/exec"
	"strings"

	"brenner/internal/protocol"
)

// Missing is a program that cannot be started.
type Missing struct {
	Program    string `json:"program"`
	Executable string `json:"executable"` // empty: unknown
	Install    string `json:"install"`    // what a person does about it
}

// Missing returns which of the programs cannot be started in this use, each once, in order.
func (c *Catalog) Missing(m Mode, programs ...string) []Missing {
	var missing []Missing
	seen := map[string]bool{}
	for _, program := range programs {
		if seen[program] {
			continue
		}
		seen[program] = true
		if found, ok := c.missing(program, m); ok {
			missing = append(missing, found)
		}
	}
	return missing
}

// Absent returns which of the programs can be started in no use at all, each once, in order. One that the project file
// describes for one use only is judged by that one.
func (c *Catalog) Absent(programs ...string) []Missing {
	var absent []Missing
	for _, m := range c.Missing(Interactive, programs...) {
		headless, missing := c.missing(m.Program, Headless)
		switch {
		case missing && m.Executable == "":
			absent = append(absent, headless)
		case missing:
			absent = append(absent, m)
		}
	}
	return absent
}

func (c *Catalog) missing(program string, m Mode) (Missing, bool) {
	e, err := c.find(program, m)
	if err != nil {
		return Missing{Program: program, Install: "describe it in the project file: agents." + program + "." + m.String()}, true
	}
	executable := e.words(m)[0]
	if strings.Contains(executable, "{") { // below the project or brenner itself; starting it will tell
		return Missing{}, false
	}
	if _, err := exec.LookPath(executable); err == nil {
		return Missing{}, false
	}
	how := e.install
	if how == "" {
		how = "install " + executable + ", or name its path in agents." + program + " of the project file"
	}
	return Missing{Program: program, Executable: executable, Install: how}, true
}

// Reason says in a few words why the program cannot be started.
func (m Missing) Reason() string {
	if m.Executable == "" {
		return "nothing says how " + m.Program + " is started"
	}
	return m.Executable + " is not installed"
}

// Refusal is the error for programs that are missing: one finding for each. There is none: nil.
func Refusal(missing []Missing) error {
	if len(missing) == 0 {
		return nil
	}
	var names []string
	var findings []protocol.Finding
	for _, m := range missing {
		names = append(names, m.Program)
		what := "the program " + m.Executable + " is not installed"
		if m.Executable == "" {
			what = "nothing says how it is started"
		}
		findings = append(findings, protocol.NewFinding(protocol.ProgramMissing, "%s: %s", m.Program, what).WithFix("%s", m.Install))
	}
	return protocol.Errorf(protocol.ProgramMissing, "nothing was started; missing: %s", strings.Join(names, ", ")).WithFindings(findings)
}
