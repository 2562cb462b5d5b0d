// Package connect writes brenner into the MCP settings of agent programs, and takes it out again.
// Settings belong to a person: an edit inserts text and leaves every other byte as it is, nothing is
// written before it was shown, and a record of the change lets it be undone byte for byte.
package connect
