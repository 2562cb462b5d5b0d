// Package quantity reads numbers with a spread (SCIENCE 4, quantities): what a hypothesis expects of a
// measurement, and what was measured. Text becomes a typed value here, once; nobody else takes such a text apart.
//
//	73 ± 1   73 +/- 1   73 +2 -1   60–75   60..75   60 to 75   < 0.1   > 5   73
package quantity
