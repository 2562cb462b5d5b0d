package artifact

// Origin returns where an item came from: the block that added it, which the merge records
// under the empty path, else the oldest source among its fields, in the order of the thread
// (message, then block). It is nil for an item read from a file.
func (it *Item) Origin() *Source {
	if s := it.sources[""]; s != nil {
		return s
	}
	var oldest *Source
	for _, s := range it.sources {
		if oldest == nil || s.before(oldest) {
			oldest = s
		}
	}
	return oldest
}

func (s *Source) before(t *Source) bool {
	if s.MessageID != t.MessageID {
		return s.MessageID < t.MessageID
	}
	return s.Block < t.Block
}
