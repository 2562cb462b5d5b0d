package postgres

import (
	"context"
	"sync"

	"brenner/internal/mail"
)

// directory remembers which projects and agents are there. Neither is ever removed or
// renamed but by Replace, so what was seen once still holds.
type directory struct {
	mu       sync.RWMutex
	projects map[mail.ProjectID]bool
	agents   map[agentKey]agentRef
}

type agentKey struct {
	project mail.ProjectID
	name    string // mail.NameKey
}

// agentRef is what never changes of an agent.
type agentRef struct {
	id   mail.AgentID
	name string
}

// maxKnown bounds the memory of a directory.
const maxKnown = 50_000

func (d *directory) hasProject(p mail.ProjectID) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.projects[p]
}

func (d *directory) addProject(p mail.ProjectID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.projects == nil || len(d.projects) >= maxKnown {
		d.projects = map[mail.ProjectID]bool{}
	}
	d.projects[p] = true
}

func (d *directory) agent(key agentKey) (agentRef, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	ref, ok := d.agents[key]
	return ref, ok
}

func (d *directory) addAgent(key agentKey, ref agentRef) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.agents == nil || len(d.agents) >= maxKnown {
		d.agents = map[agentKey]agentRef{}
	}
	d.agents[key] = ref
}

// forget empties the directory: another connection may lead to other data.
func (d *directory) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.projects, d.agents = nil, nil
}

// agent finds an agent ignoring case. UNKNOWN_AGENT: there is none.
func (r reader) agent(ctx context.Context, project mail.ProjectID, name string) (agentRef, error) {
	key := agentKey{project, mail.NameKey(name)}
	if ref, ok := r.store.known.agent(key); ok {
		return ref, nil
	}
	found, err := r.Agents(ctx, project, name)
	if err != nil {
		return agentRef{}, err
	}
	if len(found) == 0 {
		return agentRef{}, mail.UnknownAgent(name)
	}
	ref := agentRef{found[0].ID, found[0].Name}
	if _, inside := r.db.(*transaction); !inside { // what is not committed yet may vanish
		r.store.known.addAgent(key, ref)
	}
	return ref, nil
}
