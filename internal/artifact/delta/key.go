package delta

import "strconv"

// Language is the first word of a delta block's info string.
const Language = "delta"

// The keys of a delta object and of its payload that are no fields of an item.
const (
	OperationKey = "operation"
	SectionKey   = "section"
	TargetKey    = "target_id"
	PayloadKey   = "payload"
	RationaleKey = "rationale"
	LocalIDKey   = "local_id"

	ReasonKey     = "reason"   // of a KILL
	ReplaceKey    = "replace"  // the lists and maps of the payload replace the item's
	ReplaceSuffix = "_replace" // the field before it does
)

// InPayload is the path of a key of the payload.
func InPayload(key string) string { return PayloadKey + "." + key }

// Element is the path of an element of a list.
func Element(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
