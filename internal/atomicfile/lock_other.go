//go:build !unix

package atomicfile

import "os"

func lock(*os.File) {}

// tryLock never succeeds: without locks a writer that is alive cannot be told from one that is gone.
func tryLock(*os.File) bool { return false }

// closeForRename closes the file: an open one cannot be renamed.
func closeForRename(f *os.File) error { return f.Close() }
