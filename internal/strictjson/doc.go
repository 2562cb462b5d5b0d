// Package strictjson reads JSON texts piece by piece: where each token is, what a string says, which members
// an object has. It owns the JSON library; the rules about what a text may hold are its callers'.
package strictjson
