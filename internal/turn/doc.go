// Package turn reads what an agent's program did in one round from the program's own stream (Claude Code's
// stream-json, Codex's JSON lines, Gemini's stream-json or JSON, else plain text): the prompt, what it said, the
// tools it called and what they answered, what went wrong, tokens and cost. All of it is other people's text:
// it is bounded here and nowhere trusted.
package turn
