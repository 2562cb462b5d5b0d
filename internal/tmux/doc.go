// Package tmux drives the tmux program: sessions with one pane for each agent, and what became of
// them. Whatever text it is given, tmux takes it as text: nothing passes through a shell, and what
// tmux itself would expand is escaped. It never types into a pane unless Type is called.
package tmux
