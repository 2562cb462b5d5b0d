// Package web renders a project for a person: pages made on the server, readable without
// JavaScript, brought up to date live where it runs. Pages only read; whatever writes goes
// through the JSON API, which holds the one gate. One Go file and one template per page; no
// rule of the protocol lives here.
package web
