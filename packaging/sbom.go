package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// writeSBOM lists, as CycloneDX, the modules that the binaries say they are made of.
func (r *release) writeSBOM(context.Context) error {
	modules, err := r.modules()
	if err != nil {
		return err
	}
	program := "pkg:golang/" + r.module + "@v" + r.version
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{
		Timestamp: r.at.Format(time.RFC3339),
		Component: &cdx.Component{
			BOMRef: program, PackageURL: program, Type: cdx.ComponentTypeApplication, Name: "brenner", Version: r.version,
			Properties: &[]cdx.Property{{Name: "revision", Value: r.commit}},
		},
	}
	components, refs := []cdx.Component{}, []string{}
	for _, m := range modules {
		ref := "pkg:golang/" + m.path + "@" + m.version
		components = append(components, cdx.Component{BOMRef: ref, PackageURL: ref, Type: cdx.ComponentTypeLibrary, Name: m.path, Version: m.version})
		refs = append(refs, ref)
	}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: program, Dependencies: &refs}}
	out, err := os.Create(filepath.Join(r.out, "brenner_"+r.version+"_sbom.cdx.json"))
	if err != nil {
		return err
	}
	defer out.Close()
	if err := cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return err
	}
	return out.Close()
}
