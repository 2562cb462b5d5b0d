// Package tui is the project in a terminal: what everyone does, what waits for the person, and the sessions with
// their problems first; of each session its problems, thread, artifact and agents. It follows the project
// live, fits into 80 by 24, and acts through Hands, each time after a yes. Every screen is a listing of rows; opening a row
// pushes another listing.
package tui
