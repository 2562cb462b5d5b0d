package markdown

import "flag"

var update = flag.Bool("update", false, "write golden files and the example anew")
