// Package operator is what the person who runs a project sees of the programs on this machine, and does about
// them, wherever they run: in the rounds of a runner or in the panes of a cockpit.
package operator
