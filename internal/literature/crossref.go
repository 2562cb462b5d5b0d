package literature

import (
	"bytes"
	"encoding/json"
	"io"

	"brenner/internal/protocol"
)

// readCrossref reads works of Crossref: a list of them, one, or an answer of its API.
func readCrossref(in io.Reader, tell func(Notice)) error {
	data, err := io.ReadAll(io.LimitReader(in, MaxFile+1))
	if err != nil {
		return err
	}
	if len(data) > MaxFile {
		return protocol.Errorf(protocol.InvalidInput, "the file is larger than %d MiB", MaxFile>>20)
	}
	end, err := valueEnd(data, 0)
	if err == nil && skipSpace(data, end) < len(data) {
		return lineOf(data, end, errFollows)
	}
	if err != nil {
		return lineOf(data, end, err)
	}
	if !json.Valid(data) {
		return protocol.Errorf(protocol.InvalidInput, "the JSON cannot be read")
	}
	works, others := 0, 0
	if err := eachWork(data, func(w crossrefWork) {
		if w.DOI == "" && len(w.UpdateTo)+len(w.UpdatedBy) == 0 {
			others++
		} else {
			works++
		}
		for _, n := range w.notices() {
			tell(n)
		}
	}); err != nil {
		return protocol.Errorf(protocol.InvalidInput, "the JSON is not Crossref's: %w", err)
	}
	if others > 0 && works == 0 {
		return protocol.Errorf(protocol.InvalidInput,
			"nothing in this JSON has a DOI, update-to or updated-by: it is no snapshot of Crossref")
	}
	return nil
}

// eachWork finds the works: in a list, in message and items of an answer, or the object itself.
func eachWork(data []byte, visit func(crossrefWork)) error {
	data = bytes.TrimSpace(data)
	if isList, err := eachElement(data, func(_ int, element []byte) error { return eachWork(element, visit) }); isList {
		return err
	}
	if len(data) == 0 || data[0] != '{' {
		return nil
	}
	var inner [][]byte
	if err := eachMember(data, func(name string, value []byte) {
		if name == "message" || name == "items" {
			inner = append(inner, value)
		}
	}); err != nil {
		return err
	}
	for _, value := range inner {
		if err := eachWork(value, visit); err != nil {
			return err
		}
	}
	if len(inner) > 0 {
		return nil
	}
	var w crossrefWork
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	visit(w)
	return nil
}

// crossrefWork is what a work says of its updates. A notice names the work with update-to, the work its notices with updated-by.
type crossrefWork struct {
	DOI       flexible        `json:"DOI"`
	PMID      flexible        `json:"PMID"`
	UpdateTo  crossrefUpdates `json:"update-to"`
	UpdatedBy crossrefUpdates `json:"updated-by"`
}

type crossrefUpdate struct {
	DOI     flexible `json:"DOI"`
	PMID    flexible `json:"PMID"`
	Type    flexible `json:"type"`
	Label   flexible `json:"label"`
	Updated cslDate  `json:"updated"`
}

type crossrefUpdates []crossrefUpdate

// UnmarshalJSON implements json.Unmarshaler.
func (u *crossrefUpdates) UnmarshalJSON(data []byte) error {
	_, err := eachElement(data, func(n int, element []byte) error {
		if n >= maxFields || element[0] != '{' {
			return nil
		}
		var one crossrefUpdate
		err := json.Unmarshal(element, &one)
		*u = append(*u, one)
		return err
	})
	return err
}

func (w *crossrefWork) notices() []Notice {
	own := Identifiers{NormalDOI(string(w.DOI)), PMID(string(w.PMID))}
	var list []Notice
	for _, u := range w.UpdateTo {
		list = append(list, u.notice(u.identifiers(), own))
	}
	for _, u := range w.UpdatedBy {
		list = append(list, u.notice(own, u.identifiers()))
	}
	return list
}

func (u *crossrefUpdate) identifiers() Identifiers {
	return Identifiers{NormalDOI(string(u.DOI)), PMID(string(u.PMID))}
}

func (u *crossrefUpdate) notice(of, by Identifiers) Notice {
	words := string(u.Type)
	if words == "" {
		words = string(u.Label)
	}
	return Notice{Nature: natureOf(words), Words: words, Of: of, By: by, Day: isoDay(u.Updated.date)}
}
