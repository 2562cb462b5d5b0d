package dossier

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/crate"
	"brenner/internal/journal"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
	"brenner/internal/witness"
)

// The files with what witnesses outside have seen (SCIENCE 11).
const (
	checkpointDir = "checkpoints/"
	leavesName    = "leaves.jsonl"
	proofsName    = "proofs.json"
	noteExt       = ".note"
	signatureExt  = ".sig"
	stampExt      = ".tsr"
)

// setParts keeps of what journals say what goes along: leaves of the messages that do, and the checkpoints that cover them. A journal
// that saw the messages arrive comes first.
func (b *Bundle) setParts(parts []journal.Part) {
	messages := b.positions()
	for _, part := range parts {
		kept, covered := part.Select(func(message int64) bool { return messages(message) >= 0 }, witness.Marks)
		if covered {
			b.parts = append(b.parts, kept)
		}
	}
	slices.SortStableFunc(b.parts, func(a, b journal.Part) int {
		return cmp.Or(cmp.Compare(imports(&a), imports(&b)), cmp.Compare(a.Origin, b.Origin))
	})
}

func imports(p *journal.Part) (n int) {
	for i := range p.Leaves {
		if p.Leaves[i].Imported {
			n++
		}
	}
	return n
}

// positions is the place of each message in the thread, -1 for others.
func (b *Bundle) positions() func(message int64) int {
	places := make(map[int64]int, len(b.Lines))
	for i := range b.Lines {
		places[b.Lines[i].OriginID()] = i
	}
	return func(message int64) int {
		if at, ok := places[message]; ok {
			return at
		}
		return -1
	}
}

// partFolder is where the part of a journal lies. The first has no folder of its own.
func partFolder(i int, origin string) string {
	if i == 0 {
		return checkpointDir
	}
	return checkpointDir + strings.TrimPrefix(origin, "brenner/") + "/"
}

// checkpointFiles writes what the journals say.
func (b *Bundle) checkpointFiles() ([]crate.File, error) {
	var files []crate.File
	for i := range b.parts {
		part, folder := &b.parts[i], partFolder(i, b.parts[i].Origin)
		var leaves strings.Builder
		for k := range part.Leaves {
			leaves.WriteString(part.Leaves[k].Line() + "\n")
		}
		proofs, err := json.Marshal(part.Proofs)
		if err != nil {
			return nil, err
		}
		files = append(files,
			crate.Bytes(folder+leavesName, "What the project's journal says of the thread", "application/jsonl", leaves.String()),
			crate.Bytes(folder+proofsName, "Proofs that checkpoints cover it", "application/json", string(proofs)+"\n"))
		for k := range part.Checkpoints {
			files = append(files, sealed(folder, &part.Checkpoints[k])...)
		}
	}
	return files, nil
}

// sealed writes a checkpoint with its signatures and time-stamp.
func sealed(folder string, w *journal.Witnessed) []crate.File {
	name := folder + strconv.FormatInt(w.Size(), 10)
	title := fmt.Sprintf("The checkpoint of %d leaves", w.Size())
	files := []crate.File{crate.Bytes(name+noteExt, title, "text/plain", w.Note)}
	for i, s := range w.Signatures {
		files = append(files, crate.Bytes(name+"."+strconv.Itoa(i+1)+signatureExt, title+", signature", "text/plain", s))
	}
	if w.Timestamp != nil {
		files = append(files, crate.Bytes(name+stampExt, title+", time-stamp", "application/timestamp-reply", string(w.Timestamp)))
	}
	return files
}

// checkpoints reads the parts of journals, and checks them: leaves against the thread, proofs against the checkpoints, signatures and
// time-stamps. What is there is written again and compared, so that nothing else can be.
func (v *verifier) checkpoints() {
	parts, ok := v.readParts()
	if !ok {
		return
	}
	letters := v.letters()
	for i := range parts {
		folder := partFolder(i, parts[i].Origin)
		if err := parts[i].Agrees(letters); err != nil {
			v.bad(folder+leavesName, "%s", err)
			return
		}
		for k := range parts[i].Checkpoints {
			seal, err := v.options.trust().Judge(&parts[i].Checkpoints[k])
			if err != nil {
				v.bad(folder+strconv.FormatInt(seal.Size, 10)+noteExt, "%s", err)
				return
			}
			v.seals = append(v.seals, sealOf{i, seal})
		}
		if err := parts[i].Check(witness.Marks); err != nil {
			v.bad(folder+proofsName, "%s", err)
			return
		}
	}
	v.bundle.setParts(parts)
	v.samePartFiles(len(parts))
}

// samePartFiles compares what lies in the folder with what the parts give.
func (v *verifier) samePartFiles(parts int) {
	files, err := v.bundle.checkpointFiles()
	if err != nil || len(v.bundle.parts) != parts {
		v.bad(checkpointDir+leavesName, "its journals are not those that a crate has")
		return
	}
	known := map[string]bool{}
	for _, f := range files {
		known[f.Name] = true
		got, ok := v.read(f.Name)
		if !ok {
			return
		}
		content, err := f.Open()
		if err != nil {
			v.bad(f.Name, "%s", err)
			return
		}
		var want bytes.Buffer
		_, err = want.ReadFrom(content)
		if _ = content.Close(); err != nil || !bytes.Equal(got, want.Bytes()) {
			v.bad(f.Name, "it is not spelled as a crate spells it")
			return
		}
	}
	for _, name := range v.crate.Names() {
		if strings.HasPrefix(name, checkpointDir) && !known[name] {
			v.bad(name, "no crate has it")
		}
	}
}

// letters are the messages of the thread as the journal reads them.
func (v *verifier) letters() []journal.Letter {
	lines := v.bundle.Lines
	list := make([]journal.Letter, len(lines))
	for i := range lines {
		m := lines[i].Message()
		kind := mail.Classify(m.Subject, m.Body, m.Intake)
		stored := mail.Message{Message: m, Type: kind, Version: mail.VersionOf(kind, &m), ChainHash: lines[i].ChainHash}
		list[i] = stored.Letter()
	}
	return list
}

// readParts finds the journals in the crate: the first in the folder itself, the others in folders of theirs.
func (v *verifier) readParts() ([]journal.Part, bool) {
	folders := map[string]bool{}
	for _, name := range v.crate.Names() {
		if strings.HasPrefix(name, checkpointDir) {
			folders[path.Dir(name)+"/"] = true
		}
	}
	if len(folders) == 0 {
		return nil, true
	}
	names := []string{checkpointDir}
	for folder := range folders {
		if folder != checkpointDir {
			names = append(names, folder)
		}
	}
	parts := make([]journal.Part, len(names))
	for i, folder := range names {
		if !v.readPart(folder, &parts[i]) {
			return nil, false
		}
	}
	slices.SortStableFunc(parts[1:], func(a, b journal.Part) int {
		return cmp.Or(cmp.Compare(imports(&a), imports(&b)), cmp.Compare(a.Origin, b.Origin))
	})
	return parts, true
}

// readPart reads the part of a journal from its folder.
func (v *verifier) readPart(folder string, part *journal.Part) bool {
	leaves, ok := v.read(folder + leavesName)
	if !ok {
		return false
	}
	for line := range strings.Lines(string(leaves)) {
		leaf, err := journal.ParseLeaf(strings.TrimSuffix(line, "\n"))
		if err != nil {
			v.bad(folder+leavesName, "%s", err)
			return false
		}
		part.Leaves = append(part.Leaves, leaf)
	}
	proofs, ok := v.read(folder + proofsName)
	if !ok {
		return false
	}
	if !strictjson.Bounded(proofs) {
		v.bad(folder+proofsName, "it has more proofs than any journal")
		return false
	}
	if err := json.Unmarshal(proofs, &part.Proofs); err != nil {
		v.bad(folder+proofsName, "%s", err)
		return false
	}
	return v.readNotes(folder, part)
}

// readNotes reads the checkpoints of a folder, the smallest first.
func (v *verifier) readNotes(folder string, part *journal.Part) bool {
	for _, name := range v.crate.Names() {
		size, ok := strings.CutSuffix(strings.TrimPrefix(name, folder), noteExt)
		if !ok || !strings.HasPrefix(name, folder) || strings.Contains(size, "/") {
			continue
		}
		note, ok := v.read(name)
		if !ok {
			return false
		}
		w := journal.Witnessed{Note: string(note)}
		c, err := journal.ParseNote(w.Note)
		if err != nil || strconv.FormatInt(c.Size, 10) != size {
			v.bad(name, "it is no checkpoint of that size")
			return false
		}
		for k := 1; v.crate.Has(folder + size + "." + strconv.Itoa(k) + signatureExt); k++ {
			text, ok := v.read(folder + size + "." + strconv.Itoa(k) + signatureExt)
			if !ok {
				return false
			}
			w.Signatures = append(w.Signatures, string(text))
		}
		if stamp := folder + size + stampExt; v.crate.Has(stamp) {
			if w.Timestamp, ok = v.read(stamp); !ok {
				return false
			}
		}
		part.Checkpoints, part.Origin = append(part.Checkpoints, w), cmp.Or(part.Origin, c.Origin)
	}
	slices.SortFunc(part.Checkpoints, func(a, b journal.Witnessed) int { return cmp.Compare(a.Size(), b.Size()) })
	return true
}

// sealOf is what a reader may think of a checkpoint of one of the parts.
type sealOf struct {
	part int
	witness.Seal
}

// Checkpoint is a checkpoint of a crate, as the reader may believe it.
type Checkpoint struct {
	Origin string
	witness.Seal
	Covers []int64 // messages whose leaves it is proved to have
}

// tellSeals lists the checkpoints, and warns of witnesses whom the reader did not name.
func (v *verifier) tellSeals() {
	signers, authorities := map[string]bool{}, map[string]bool{}
	for _, seal := range v.seals {
		part := &v.bundle.parts[seal.part]
		told := Checkpoint{Origin: part.Origin, Seal: seal.Seal, Covers: covered(part, seal.Size)}
		v.Checkpoints = append(v.Checkpoints, told)
		for _, signed := range seal.Signers {
			if signed.State == crate.Unknown && !signers[signed.Signer] {
				signers[signed.Signer] = true
				v.Findings = append(v.Findings, protocol.NewFinding(protocol.UnknownSigner,
					"A checkpoint is signed with the key %s; it is not known whose that is.", signed.Signer))
			}
		}
		if seal.Stamped == crate.Unknown && !authorities[seal.Authority] {
			authorities[seal.Authority] = true
			v.Findings = append(v.Findings, protocol.NewFinding(protocol.UnknownAuthority,
				"A checkpoint is time-stamped by %s; nobody named that authority.", protocol.Brief(seal.Authority)))
		}
	}
}

func covered(part *journal.Part, size int64) []int64 {
	list := []int64{}
	for _, proof := range part.Proofs {
		for i := range part.Leaves {
			if proof.Size == size && part.Leaves[i].N == proof.N {
				list = append(list, part.Leaves[i].MessageID)
			}
		}
	}
	return list
}
