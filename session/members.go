package session

// Members lists the roster, then everybody else who wrote or was written to.
func (v *View) Members() []Member { return v.members() }
