package dossier

import (
	"cmp"

	"brenner/internal/crate"
)

// notebook writes again what a file for lab notebooks says beside the crate. Manifest and signature do not cover it.
func (v *verifier) notebook() {
	folder, got, ok, bad := v.crate.Notebook()
	if v.problem(bad); !ok || bad != nil {
		return
	}
	name, wanted := folder+"/"+crate.MetadataName, v.bundle.notebook()
	if folder != wanted.Folder {
		v.bad(name, "its folder is not %s", wanted.Folder)
		return
	}
	want, err := v.notebookDocument(wanted)
	switch at, same := agrees(got, []byte(want), v.compared()); {
	case err != nil:
		v.bad(name, "%s", err)
	case same && (want == string(got) || !v.ours()):
	case v.anotherEdition() && !v.ours():
		v.tell(name, at)
	default:
		v.bad(name, "it does not describe this version: %s", cmp.Or(at, "its layout"))
	}
}

func (v *verifier) notebookDocument(wanted crate.Notebook) (string, error) {
	files, described, err := v.described()
	if err != nil {
		return "", err
	}
	files = append(files, crate.Manifest(v.opener(crate.ManifestName)))
	if v.crate.Has(crate.SignatureName) {
		files = append(files, crate.SignatureFile(v.opener(crate.SignatureName)))
	}
	return wanted.Document(files, described)
}
