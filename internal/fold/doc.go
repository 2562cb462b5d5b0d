// Package fold is what the messages of a thread come to: the artifact's state and, beside it, who takes part, which critiques
// were raised and answered, how far the rounds went, who is called and what settled acknowledgements. It is a pure function of the
// messages, advanced one by one, forked without a copy, saved and resumed.
package fold
