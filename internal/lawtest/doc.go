// Package lawtest holds vectors of the law: a thread, and what each surface has to say about it. The fold, the command
// line, MCP, the API and the pages answer the same questions about the same thread, so that a rule that two of them
// decide on their own is seen as soon as they differ.
package lawtest
