// Package usecase declares what can be asked of a session: of each use case its name, its request, its answer, its
// effect and who may ask. Commands, the tools of MCP and the routes of the API are made from these declarations, so that a use
// case has one name and one shape wherever it is offered.
package usecase
