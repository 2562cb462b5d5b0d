// Package artifact holds the research artifact: seven sections of items with typed fields,
// kill records and the source of every field. One table (schema.go) names the fields of each
// section; reading, merging, rendering and linting all follow it.
package artifact
