package evidencepack

import (
	"brenner/internal/evidence"
	"brenner/internal/yamltext"
)

// snapshotKey is the key of the last snapshot of retractions in the index.
const snapshotKey = "retractions"

// parseSnapshot reads what the index keeps of the last snapshot; nil: none was joined yet.
func parseSnapshot(n *yamltext.Node) (*evidence.Snapshot, error) {
	switch {
	case n == nil || n.Null():
		return nil, nil
	case n.Kind != yamltext.Mapping:
		return nil, invalidIndex(n.Line, "retractions is not a mapping")
	}
	f := fields{node: n}
	s := &evidence.Snapshot{SHA256: f.text("sha256"), Day: f.text("day"), Newest: f.text("newest"), LookedUp: map[string]bool{}}
	if list := member(n, "looked_up"); list != nil {
		for _, item := range list.Items {
			s.LookedUp[item.Text] = true
		}
	}
	return s, f.err
}

func snapshotNode(s *evidence.Snapshot, lookedUp []string) *yamltext.Node {
	list := &yamltext.Node{Kind: yamltext.Sequence}
	for _, id := range lookedUp {
		list.Items = append(list.Items, &yamltext.Node{Text: id})
	}
	return &yamltext.Node{Kind: yamltext.Mapping, Members: []yamltext.Member{
		{Key: "sha256", Value: textNode(s.SHA256)}, {Key: "day", Value: textNode(s.Day)}, {Key: "newest", Value: textNode(s.Newest)},
		{Key: "looked_up", Value: list},
	}}
}
