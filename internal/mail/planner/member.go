package planner

import "brenner/internal/mail"

// Doubtful returns the entries whose sender must be a member of a thread that is not known to have it as one. The
// engine looks them up behind everything planned so far, and tells the plan of those that are (KnowMember).
func (p *Plan) Doubtful(project mail.ProjectID, entries []Prepared) []*Prepared {
	var list []*Prepared
	for i := range entries {
		e := &entries[i]
		if e.Member && e.Message.ThreadID != "" && !p.isMember(e.member(project, 0)) {
			list = append(list, e)
		}
	}
	return list
}

// KnowMember tells the plan that the sender of an entry is a member of its thread. Nobody ever ceases to be one.
func (p *Plan) KnowMember(project mail.ProjectID, e *Prepared) {
	p.members[e.member(project, 0)] = true
}

// member names the sender (0) or the n-th recipient of an entry in its thread.
func (e *Prepared) member(project mail.ProjectID, n int) memberKey {
	return memberKey{project, e.Message.ThreadID, e.names[n]}
}

// isMember knows the operator, who convenes every thread.
func (p *Plan) isMember(key memberKey) bool {
	return p.members[key] || key.agent == mail.NameKey(mail.Operator)
}

// admit refuses who is no member. Whom a member addresses is one from then on, for the other entries of the same call.
func (p *Plan) admit(undo *mark, project mail.ProjectID, e *Prepared, thread *mail.Thread) error {
	if !e.Member || e.Message.ThreadID == "" {
		return nil
	}
	if thread != nil && !p.isMember(e.member(project, 0)) {
		return mail.NoThread(e.Message.ThreadID)
	}
	for n := range 1 + len(e.deliveries) {
		if key := e.member(project, n); !p.isMember(key) {
			undo.members = append(undo.members, key)
			p.members[key] = true
		}
	}
	return nil
}
