package science

// Late reports whether a cell was written when somebody had looked (SCIENCE 3).
func (p *Prediction) Late() bool { return p.State != Open && p.State != Locked }

// Held is the text that a result is held against, in every tally and mark (SCIENCE 3): that of a late cell is what it said
// before the first look. It is empty where there is none.
func (p *Prediction) Held() string {
	text := p.Expected
	if p.Late() {
		text = p.Registered
	}
	if text == nil {
		return ""
	}
	return *text
}
