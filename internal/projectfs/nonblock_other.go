//go:build !unix

package projectfs

// nonblock is not needed: folders hold no pipes here.
const nonblock = 0
