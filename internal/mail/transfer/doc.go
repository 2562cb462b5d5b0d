// Package transfer moves threads between stores and programs: messages as lines of JSON, their import and export, and
// the proof of an export. The log itself is package mail's.
package transfer
