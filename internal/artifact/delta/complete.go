package delta

import (
	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// complete demands the required fields of an ADD. Lenient intake puts a neutral value where
// there is one; where the substance is missing nothing can (PROTOCOL 5, two intakes).
func (b *block) complete(fields *fieldSet, payload value) {
	for i := range b.section.Fields() {
		spec := &b.section.Fields()[i]
		if !spec.Required || fields.state[i] == given {
			continue
		}
		if b.reader.lenient() && spec.Neutral != nil {
			b.neutral(spec, fields.place(i, payload))
			continue
		}
		b.missing(spec, fields.state[i], fields.place(i, payload))
	}
}

// place is where to point to for a field: its blank value, or the payload it is missing in.
func (s *fieldSet) place(i int, payload value) value {
	if s.state[i] == blank {
		return value{payload.t, s.at[i]}
	}
	return payload
}

func (b *block) missing(spec *artifact.FieldSpec, state fieldState, at value) {
	what := "is missing"
	if state == blank {
		what = "is empty"
	}
	b.report(protocol.NewFinding(protocol.MissingRequiredField, "The required field %s %s.", spec.Name, what).
		WithFix("%s", missingFix(spec)), at, InPayload(spec.Name))
}

func missingFix(spec *artifact.FieldSpec) string {
	return `Give "` + spec.Name + `" ` + example(spec) + "."
}

// example shows a value of a field as one would type it.
func example(spec *artifact.FieldSpec) string {
	switch {
	case len(spec.Values) > 0:
		return `a value: "` + spec.Values[0] + `"`
	case spec.Name == artifact.Anchors:
		return `a list: ["§12"] or ["inference"]`
	case spec.Kind == artifact.KindList:
		return `a list: ["H1"]`
	case spec.Kind == artifact.KindMap:
		return `an object: {"H1": "…", "H2": "…"}`
	}
	return "a text"
}

// neutral gives a missing field its neutral value.
func (b *block) neutral(spec *artifact.FieldSpec, at value) {
	b.delta.Fields = append(b.delta.Fields, Field{
		Name: spec.Name, Value: spec.Neutral, Path: InPayload(spec.Name),
	})
	b.report(protocol.NewFinding(protocol.IncompleteItem, "The required field %s is missing; it gets %s.",
		spec.Name, artifact.AppendValue(nil, spec.Neutral)), at, InPayload(spec.Name))
}
