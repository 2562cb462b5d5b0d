package literature

// signAccents are the accents that are commands of one sign: \'e.
var signAccents = map[rune]rune{
	'\'': '\u0301', '`': '\u0300', '^': '\u0302', '"': '\u0308', '~': '\u0303', '=': '\u0304', '.': '\u0307',
}

// wordAccents are those that are letters: \c{c}.
var wordAccents = map[string]rune{
	"c": '\u0327', "v": '\u030C', "u": '\u0306', "H": '\u030B', "k": '\u0328', "r": '\u030A', "b": '\u0331', "d": '\u0323', "t": '\u0361',
}

// symbols are the commands that stand for a character.
var symbols = map[string]string{
	"ss": "ß", "SS": "ẞ", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł",
	"i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
	"textendash": "–", "textemdash": "—", "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”",
	"textquotesingle": "'", "textquotedbl": `"`, "guillemotleft": "«", "guillemotright": "»", "textasciitilde": "~", "textasciicircum": "^",
	"textasciigrave": "`", "textbackslash": `\`, "backslash": `\`, "textbraceleft": "{", "textbraceright": "}", "lbrace": "{",
	"rbrace":         "}",
	"textunderscore": "_", "textless": "<", "textgreater": ">", "textbar": "|", "textdegree": "°", "degree": "°", "circ": "°",
	"textmu":    "µ",
	"copyright": "©", "textcopyright": "©", "textregistered": "®", "texttrademark": "™", "pounds": "£", "euro": "€", "texteuro": "€",
	"S": "§", "P": "¶", "dag": "†", "ddag": "‡", "ldots": "…", "dots": "…", "textellipsis": "…", "textordfeminine": "ª",
	"textordmasculine": "º",
	"times":            "×", "texttimes": "×", "pm": "±", "cdot": "·", "div": "÷", "sim": "∼", "approx": "≈", "leq": "≤", "le": "≤",
	"geq": "≥", "ge": "≥",
	"neq": "≠", "rightarrow": "→", "to": "→", "leftarrow": "←", "infty": "∞", "prime": "′", "sqrt": "√", "partial": "∂", "ell": "ℓ",
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
	"iota":  "ι",
	"kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ",
	"phi":    "φ",
	"varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π",
	"Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "odot": "⊙", "sun": "⊙",
}
