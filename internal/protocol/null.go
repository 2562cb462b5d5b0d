package protocol

// NonNil is a list as JSON carries it: an empty one is [], never null.
func NonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// OrNull is a value as JSON carries it where nothing is null: a pointer, nil for the zero value.
func OrNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
