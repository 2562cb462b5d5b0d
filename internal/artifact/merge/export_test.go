package merge

// Small makes the fold use what it keeps for large inputs (indexes, sets, overlays) from the
// first element on, so that small random threads reach it too.
func Small() (restore func()) {
	index, set, over := indexFrom, setFrom, overlayFrom
	indexFrom, setFrom, overlayFrom = 1, 1, 1
	return func() { indexFrom, setFrom, overlayFrom = index, set, over }
}
