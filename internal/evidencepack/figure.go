package evidencepack

import (
	"slices"

	"brenner/internal/evidence"
)

// pictures are the kinds of files that a page can show.
var pictures = []string{"png", "jpg", "jpeg", "gif", "webp", "svg"}

// maxFigure is what is read of a picture.
const maxFigure = 16 << 20

// figure reads the file of a source that is a picture; nil if it is none, or not the file that the index has the hash of.
func (p *Pack) figure(s *evidence.Source) []byte {
	if !slices.Contains(pictures, extension(s.File)) {
		return nil
	}
	return p.bytes(s, maxFigure)
}

// bytes reads the file of a source up to a size; nil if it is not there, larger, or not the file that the index has the hash of.
func (p *Pack) bytes(s *evidence.Source, most int64) []byte {
	if s.File == "" {
		return nil
	}
	files, err := p.list()
	if err != nil || files == nil {
		return nil
	}
	if _, there := files.files[s.File]; !there {
		return nil
	}
	data, err := p.folder.Read(Dir+"/"+s.File, most)
	if err != nil || s.Indexed && hexHash(data) != s.SHA256 {
		return nil
	}
	return data
}
