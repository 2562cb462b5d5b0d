package artifact

import "brenner/canon"

// Hash is the artifact hash: SHA-256 over the RFC 8785 form of the sections object
// (PROTOCOL 14).
func (a *Artifact) Hash() (canon.Hash, error) {
	sections, err := a.MarshalJSON()
	if err != nil {
		return canon.Hash{}, err
	}
	return canon.Sum(nil, sections)
}
