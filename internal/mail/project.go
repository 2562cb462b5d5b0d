package mail

import (
	"strings"
	"time"
)

// ProjectID names a project inside one store.
type ProjectID int64

// Project is a working folder whose agents write to each other. Messages, agents and threads
// belong to one project; ids of messages are unique in the whole store.
type Project struct {
	ID        ProjectID
	Slug      string // Slug(HumanKey), unique
	HumanKey  string // an absolute path, unique
	CreatedAt time.Time
}

// Slug is the short name of a project: its path in lower case, every other character than
// a–z and 0–9 as a hyphen, trimmed.
func Slug(humanKey string) string {
	slug := []byte(strings.ToLower(humanKey))
	for i, c := range slug {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			slug[i] = '-'
		}
	}
	return strings.Trim(string(slug), "-")
}
