package evidencepack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"brenner/internal/evidence"
	"brenner/internal/protocol"
)

// FinishedRun is a command that has ended, with the files that hold its output.
type FinishedRun struct {
	evidence.Run
	Out, Err *os.File
	Title    string
	By       string
	At       time.Time
}

// AddRun keeps a run as evidence: its record and its outputs, all of them or none.
func (p *Pack) AddRun(ctx context.Context, r FinishedRun) (Added, error) {
	var added Added
	err := p.change(func() ([]put, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d, err := p.current()
		if err != nil {
			return nil, err
		}
		s := &evidence.Source{
			ID: nextID(d.files, d.entries), Title: r.Title, Source: strings.Join(r.Command, " "), Kind: evidence.KindRun,
			AddedAt: r.At.UTC().Format(time.RFC3339), AddedBy: r.By, Share: true, Status: evidence.Current, Indexed: true,
		}
		record, err := r.record(s)
		if err != nil {
			return nil, err
		}
		s.File, s.SHA256 = s.ID+".json", hexHash(record)
		next, err := d.appended(s)
		if err != nil {
			return nil, err
		}
		added = Added{Source: s, New: true}
		return []put{
			{name: s.ID + ".out", from: r.Out}, {name: s.ID + ".err", from: r.Err},
			{name: s.File, data: record}, next,
		}, nil
	})
	if err != nil {
		return Added{}, err
	}
	return p.reread(added)
}

// record completes the record of a run with its outputs. The text of a run is what it wrote on stdout.
func (r *FinishedRun) record(s *evidence.Source) ([]byte, error) {
	var valid bool
	var err error
	if valid, err = describe(r.Out, s.ID+".out", &r.Stdout); err != nil {
		return nil, err
	}
	if valid {
		s.Text, s.TextSHA256, s.TextBy = r.Stdout.File, r.Stdout.SHA256, evidence.TextExtracted
	}
	if _, err = describe(r.Err, s.ID+".err", &r.Stderr); err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(r.Run, "", "  ")
	return append(data, '\n'), err
}

// describe hashes an output and tells whether it is UTF-8.
func describe(f *os.File, name string, out *evidence.RunOutput) (bool, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false, protocol.Errorf(protocol.Internal, "the output of the run cannot be read: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil || len(data) > MaxFile {
		return false, protocol.Errorf(protocol.Internal, "the output of the run cannot be read: %w", err)
	}
	sum := sha256.Sum256(data)
	out.File, out.SHA256 = name, hex.EncodeToString(sum[:])
	return utf8.Valid(data), nil
}

// readOutputs compares the outputs of a run with its record: EV-Q02.
func readOutputs(s *evidence.Source, record []byte, open opener, c *evidence.Content) {
	run, err := evidence.ParseRun(record)
	if err != nil {
		c.Wrong = append(c.Wrong, protocol.NewFinding(protocol.EVQ02, "%s: %s/%s is not the record of a run.", s.ID, Dir, s.File))
		return
	}
	for _, out := range []evidence.RunOutput{run.Stdout, run.Stderr} {
		if !ownFile(s.ID, out.File) {
			c.Wrong = append(c.Wrong, protocol.NewFinding(protocol.EVQ02, "%s: its record names no output of its own.", s.ID))
		} else if out.File != s.Text { // which is read anyway
			readFile(s.ID, out.File, out.SHA256, open, c)
		}
	}
}

// ReadRun returns the record of a run.
func (p *Pack) ReadRun(s *evidence.Source) (evidence.Run, error) {
	var run evidence.Run
	data, err := p.folder.Read(Dir+"/"+s.File, MaxFile)
	if err == nil {
		run, err = evidence.ParseRun(data)
	}
	if err != nil {
		return run, protocol.Errorf(protocol.InvalidInput, "the record of %s cannot be read: %w", s.ID, err)
	}
	return run, nil
}
