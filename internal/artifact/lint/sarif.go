package lint

import (
	"encoding/json"
	"net/url"
	"strings"

	"brenner/internal/protocol"
)

// The few parts of SARIF 2.1.0 that a report needs. The library for it brings a schema
// validator and an HTTP client into every binary; it serves as the oracle of the tests.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Language   string        `json:"language"`
		Newlines   []string      `json:"newlineSequences"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name     string      `json:"name"`
		Language string      `json:"language"`
		Rules    []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Short   sarifText    `json:"shortDescription"`
		Help    sarifText    `json:"help"`
		Default sarifDefault `json:"defaultConfiguration"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"name"`
		Full string `json:"fullyQualifiedName"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

var sarifLevels = map[protocol.Severity]string{
	protocol.SeverityError: "error", protocol.SeverityWarning: "warning", protocol.SeverityInfo: "note",
}

// SARIF writes a report as a SARIF log, for editors and code hosts. File is the path of what
// was linted, relative to the repository; empty for a thread, whose artifact has an address
// of its own.
func SARIF(r Report, file string) []byte {
	uri := (&url.URL{Scheme: "brenner", Host: "artifact", Path: "/" + r.Artifact}).String()
	if file != "" {
		uri = (&url.URL{Path: strings.ReplaceAll(file, `\`, "/")}).String()
	}
	run := sarifRun{
		ColumnKind: "unicodeCodePoints", Language: "en", Newlines: []string{"\r\n", "\n"}, Results: []sarifResult{},
	}
	run.Tool.Driver.Name, run.Tool.Driver.Language = "brenner lint", "en"
	index := map[protocol.Code]int{}
	for i, rule := range Rules() {
		index[rule.Code] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			string(rule.Code), sarifText{rule.Meaning}, sarifText{rule.Fix}, sarifDefault{sarifLevels[rule.Severity]},
		})
	}
	for _, v := range r.Violations {
		at, known := index[v.Code]
		if !known {
			at = -1 // SARIF's own word for it
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: v.ID(), RuleIndex: at, Level: sarifLevels[v.Severity], Message: sarifMessage(v),
			Locations:    []sarifLocation{sarifPlace(v, uri, r.Artifact)},
			Fingerprints: map[string]string{"brenner/v1": v.ID() + " " + v.Item + " " + v.Path},
		})
	}
	out, err := json.MarshalIndent(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}}, "", "  ")
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return append(out, '\n')
}

func sarifMessage(v Violation) sarifText {
	if v.Fix == "" {
		return sarifText{v.Message}
	}
	return sarifText{v.Message + " " + v.Fix}
}

func sarifPlace(v Violation, uri, artifact string) sarifLocation {
	l := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{uri}}}
	if v.Line > 0 {
		l.Physical.Region = &sarifRegion{v.Line, v.Column}
	}
	if v.Item != "" {
		l.Logical = []sarifLogical{{v.Item, artifact + "#" + v.Item}}
	}
	return l
}
