package crate

import (
	"encoding/base64"
	"errors"
	"strings"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"brenner/internal/protocol"
)

// namespace keeps a signature of a crate from being taken for one of something else.
const namespace = "brenner"

// Signer signs manifests with an SSH key.
type Signer struct{ key ssh.Signer }

// NewSigner reads a private key as ssh-keygen writes it. Where the key has a passphrase, ask is called for it;
// ask may be nil.
func NewSigner(pem []byte, ask func() ([]byte, error)) (*Signer, error) {
	key, err := ssh.ParsePrivateKey(pem)
	if _, missing := errors.AsType[*ssh.PassphraseMissingError](err); missing && ask != nil {
		passphrase, askErr := ask()
		if askErr != nil {
			return nil, askErr
		}
		key, err = ssh.ParsePrivateKeyWithPassphrase(pem, passphrase)
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.InvalidInput, "this is no private SSH key that can sign here: %s",
			strings.TrimPrefix(err.Error(), "ssh: "))
	}
	return &Signer{key}, nil
}

func (s *Signer) sign(text, namespace string) (string, error) {
	signature, err := sshsig.Sign(strings.NewReader(text), s.key, sshsig.HashSHA512, namespace)
	if err != nil {
		return "", err
	}
	return string(sshsig.Armor(signature)), nil
}

// fingerprintOf names a key as ssh-keygen -l does.
func fingerprintOf(signature *sshsig.Signature) string {
	return ssh.FingerprintSHA256(signature.PublicKey)
}

// unarmor reads a signature in one of the two spellings there are, ours and that of ssh-keygen, so
// that no byte of the file can change unnoticed.
func unarmor(text []byte) (*sshsig.Signature, error) {
	signature, err := sshsig.Unarmor(text)
	if err != nil || (string(text) != string(sshsig.Armor(signature)) && string(text) != armorAsKeygen(signature)) {
		return nil, errors.New("it is no SSH signature, or not spelled as ssh-keygen spells one")
	}
	return signature, nil
}

// armorAsKeygen spells a signature with lines of 70 letters.
func armorAsKeygen(signature *sshsig.Signature) string {
	const width = 70
	var text strings.Builder
	text.WriteString("-----BEGIN " + sshsig.PEMType + "-----\n")
	for code := base64.StdEncoding.EncodeToString(signature.Marshal()); code != ""; {
		n := min(width, len(code))
		text.WriteString(code[:n] + "\n")
		code = code[n:]
	}
	text.WriteString("-----END " + sshsig.PEMType + "-----\n")
	return text.String()
}
