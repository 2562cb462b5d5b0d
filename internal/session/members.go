package session

// Members lists the roster, then all other senders and recipients.
func (v *View) Members() []Member { return v.members() }
