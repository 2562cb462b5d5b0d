package artifact

// Origin returns where an item came from: the oldest source among its fields, in the order
// of the thread (message, then block). It is nil for an item read from a file. Once every
// field of an item has been edited, the oldest edit is all that is left to name.
func (it *Item) Origin() *Source {
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
