// Package disputes holds the disputes that come with the program.
package disputes

import "embed"

// Files are the disputes, a folder for each.
//
//go:embed */*
var Files embed.FS
