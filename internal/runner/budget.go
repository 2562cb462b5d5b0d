package runner

import (
	"fmt"
	"strconv"
	"strings"

	"brenner/internal/protocol"
	"brenner/internal/turn"
)

// Budget is what a run may cost, as far as the programs tell what they used. The zero Budget is none.
type Budget struct {
	Tokens  int64
	Dollars float64
}

// ParseBudget reads "200000", "200k", "1.5M" (tokens), "$5", "2.50usd".
func ParseBudget(text string) (Budget, error) {
	word := strings.ToLower(strings.TrimSpace(text))
	word = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(word, "tokens"), "token"))
	unit, money := 1.0, false
	switch {
	case strings.HasPrefix(word, "$"):
		word, money = word[1:], true
	case strings.HasSuffix(word, "usd"):
		word, money = strings.TrimSpace(strings.TrimSuffix(word, "usd")), true
	case strings.HasSuffix(word, "k"):
		word, unit = word[:len(word)-1], 1e3
	case strings.HasSuffix(word, "m"):
		word, unit = word[:len(word)-1], 1e6
	}
	n, err := strconv.ParseFloat(word, 64)
	if err != nil || !(n > 0) || n*unit > 1e15 || !money && n*unit < 1 {
		return Budget{}, protocol.Errorf(protocol.InvalidInput,
			"a budget is a number of tokens such as 200000, 200k or 2M, or dollars such as $5, not %q", text)
	}
	if money {
		return Budget{Dollars: n}, nil
	}
	return Budget{Tokens: int64(n * unit)}, nil
}

// MarshalText implements encoding.TextMarshaler.
func (b Budget) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (b *Budget) UnmarshalText(text []byte) (err error) {
	*b = Budget{}
	if len(text) > 0 {
		*b, err = ParseBudget(string(text))
	}
	return err
}

// spent tells whether a budget is used up, and how.
func (b Budget) spent(u turn.Usage) (string, bool) {
	if b.Tokens > 0 && u.Tokens() >= b.Tokens {
		return fmt.Sprintf("%d tokens of %d are spent", u.Tokens(), b.Tokens), true
	}
	if b.Dollars > 0 && u.Dollars != nil && *u.Dollars >= b.Dollars {
		return fmt.Sprintf("$%.2f of $%.2f are spent", *u.Dollars, b.Dollars), true
	}
	return "", false
}
