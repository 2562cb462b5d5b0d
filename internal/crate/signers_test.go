package crate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"brenner/internal/crate"
)

// TestSignersAsKeygenReadsThem lets ssh-keygen judge each file of allowed signers, and expects the same verdict of ours.
func TestSignersAsKeygenReadsThem(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"key", "other", "authority", "certified"} {
		run(t, dir, nil, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "c", "-f", path(name))
	}
	run(t, dir, nil, "ssh-keygen", "-q", "-s", path("authority"), "-I", "id", "-n", "ada,eve", path("certified.pub"))
	plain, certified := signedByKeygen(t, path("key")), signedByKeygen(t, path("certified"))
	public := func(name string) string {
		text, err := os.ReadFile(path(name + ".pub"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSuffix(strings.TrimSpace(string(text)), " c")
	}
	key, other, authority := public("key"), public("other"), public("authority")
	_, code, _ := strings.Cut(key, " ")
	accepted := 0
	for _, line := range []string{
		"ada K", "ada O", "# ada K", "   ada K", "ada\t\tK", "ada K # comment", "ada K\r", "ada", "", "\fada K", "ada K\x00x",
		"ada not-a-key\nada K", "bob not-a-key\nada K", "ada foo K\nada K", "ada foo K", "ada O\nada K", "ada K namespaces=\"x\"",
		`ada namespaces="brenner" K`, `ada NameSpaces="brenner" K`, `ada namespaces=brenner K`, `ada namespaces= "brenner" K`,
		`ada namespaces="git,file" K`,
		`ada namespaces="br*" K`, `ada namespaces="b??nner" K`, `ada namespaces="b?nner" K`, `ada namespaces="!brenner,*" K`,
		`ada namespaces="*,!git" K`,
		`ada namespaces="" K`, `ada namespaces="brenner",namespaces="x" K`, `ada namespaces="bre\"x,brenner" K`,
		`ada namespaces="brenner K`,
		`ada namespaces="x brenner" K`, `ada namespaces="[b]renner" K`, `ada namespaces="BRENNER" K`, `ada namespaces="brenner" K`,
		`ada namespaces="brenner", K`, `ada ,namespaces="brenner" K`, `ada namespaces="brenner",,valid-after="20200101" K`,
		`ada no-touch-required K`,
		`ada valid-after="20200101" K`, `ada valid-after=20200101 K`, `ada valid-after="202001010" K`, `ada valid-after="20200101UTC" K`,
		`ada valid-after="20200101z" K`, `ada valid-after="20200231Z" K`, `ada valid-after="20200201000060Z" K`,
		`ada valid-after="20201301Z" K`,
		`ada valid-after="20200100Z" K`, `ada valid-after="202001012400Z" K`, `ada valid-after="19700101Z" K`,
		`ada valid-after="29990101Z" K`,
		`ada valid-before="20200101Z" K`, `ada valid-before="29990101120000Z" K`, `ada valid-before="299901011200" K`,
		`ada valid-after="20300101",valid-before="20200101" K`, `ada valid-after="20200101",valid-before="29990101" K`,
		`ada valid-after="20200101",valid-after="20200102" K`, "ada valid-before=\"20200101\" K\nada K",
		`"ada" K`, `a"da" K`, `"ada K`, `"bob eve,ada" K`, "*a,!bob K", "!ada,* K", "!bob K", "a?a K", "*,!*a K", "ada, bob K", "bob,ada K",
		"ada,!ada K",
		"ada cert-authority K", "ada cert-authorityx K", "ada ssh-rsa CODE", "ada ecdsa-sha2-nistp256 CODE", "ada ssh-ed25519 AAAA",
		"ada ssh-ed25519 CODE=",
		"ada cert-authority A", "bob cert-authority A", "* cert-authority A", `ada cert-authority,namespaces="git" A`, "ada A",
		"!ada,* cert-authority A",
	} {
		text := strings.NewReplacer("K", key, "O", other, "CODE", code).Replace(line)
		if strings.HasSuffix(line, " A") {
			text = strings.TrimSuffix(line, "A") + authority
		}
		for kind, signed := range map[string]keygenSigned{"plain": plain, "certified": certified} {
			want := signed.accepts(t, text+"\n")
			_, bad := check(t, signed.crate, crate.ParseSigners(text+"\n"))
			if (bad == nil) != want {
				t.Errorf("%s signature, %q: ssh-keygen says %v, we %v (%v)", kind, line, want, bad == nil, bad)
			}
			if want {
				accepted++
			}
		}
	}
	if accepted < 20 {
		t.Errorf("ssh-keygen accepted only %d", accepted)
	}
}

// keygenSigned is a crate that ssh-keygen has signed.
type keygenSigned struct {
	crate []byte
	dir   string // with its files
}

func signedByKeygen(t *testing.T, key string) keygenSigned {
	t.Helper()
	s := keygenSigned{dir: t.TempDir()}
	unpack(t, pack(t, nil), s.dir)
	if _, err := os.Stat(key + "-cert.pub"); err == nil {
		certified := filepath.Join(t.TempDir(), "key")
		for from, to := range map[string]string{key: certified, key + "-cert.pub": certified + ".pub"} {
			text, err := os.ReadFile(from)
			if err != nil {
				t.Fatal(err)
			}
			write(t, to, string(text))
		}
		key = certified
	}
	run(t, s.dir, nil, "ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", "brenner", crate.ManifestName)
	s.crate = repack(t, s.dir)
	return s
}

// accepts asks ssh-keygen for somebody whom the file trusts with the signature, at the time of the tests: ada, or another name that fits.
func (s keygenSigned) accepts(t *testing.T, allowed string) bool {
	t.Helper()
	file := filepath.Join(t.TempDir(), "allowed")
	write(t, file, allowed)
	manifest, err := os.ReadFile(filepath.Join(s.dir, crate.ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ada", "eve", "bob", "somebody", "bob eve", "\fada"} {
		cmd := exec.Command("ssh-keygen", "-Y", "verify", "-O", "verify-time="+day.In(time.Local).Format("20060102150405"), "-f", file,
			"-I", name, "-n", "brenner",
			"-s", filepath.Join(s.dir, crate.SignatureName))
		cmd.Stdin = strings.NewReader(string(manifest))
		if cmd.Run() == nil {
			return true
		}
	}
	return false
}
