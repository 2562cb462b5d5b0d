// Package belief computes what the agents of a thread believe and which test would teach them
// most (SCIENCE 4 to 6). Worlds are the active hypotheses and none of them. Each agent's stated
// credences are updated by the outcomes recorded after them; the pool is the mean over the
// agents. A test has one likelihood table for everyone, stated or derived from what the
// hypotheses expect of it.
//
// Nothing is inferred from prose: every number comes from a statement or from a rule on the page,
// and what a rule had to assume is listed.
//
// The formulas are beside their code: distributions in holding.go, tables in table.go and
// derive.go, information in bits.go, scores in score.go.
package belief
