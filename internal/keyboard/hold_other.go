//go:build !linux && !darwin

package keyboard

// Hold does nothing: the consoles of other systems do not cut lines.
func (k *Keyboard) Hold() (release func()) { return func() {} }
