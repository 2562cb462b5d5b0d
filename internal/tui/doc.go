// Package tui is the project in a terminal: sessions with their problems first, and of each
// session its problems, thread, artifact and agents. It only reads, follows the project live, and fits
// into 80 by 24. Every screen is a listing of rows; opening a row pushes another listing.
package tui
