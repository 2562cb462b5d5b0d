package mcpserver

import (
	_ "embed" // the page

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The app shows a session inside a client that shows apps of MCP: the page of brenner_status, which asks its host alone.
const (
	appsExtension = "io.modelcontextprotocol/ui"
	appURI        = "ui://brenner/session"
	appMIME       = "text/html;profile=mcp-app"
)

//go:embed app.html
var appPage string

// app is the page. It is the same for everybody.
func app() *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{
		Contents: []*mcp.ResourceContents{{
			URI: appURI, MIMEType: appMIME, Text: appPage, Meta: mcp.Meta{"ui": map[string]any{"prefersBorder": true}},
		}},
		Cacheable: lasting,
	}
}

// shownBy is what a client is told of a tool whose results the app shows.
var shownBy = mcp.Meta{"ui": map[string]any{"resourceUri": appURI}}
