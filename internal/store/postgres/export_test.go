package postgres

// Release returns the options of a program that knows the first steps of the schema only.
func Release(steps int) Options { return Options{schema: steps} }
