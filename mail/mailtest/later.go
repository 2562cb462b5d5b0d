package mailtest

var transactions, concurrency, events, limits []testCase
