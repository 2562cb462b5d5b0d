package teamtest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"brenner/internal/cli"
	"brenner/internal/needs"
	"brenner/internal/store/postgres/pgtest"
)

// playBrenner has the test binary be the program.
const playBrenner = "BRENNER_TEAMTEST_PLAY"

func TestMain(m *testing.M) {
	if os.Getenv(playBrenner) != "" {
		os.Exit(cli.Main(os.Args[1:], cli.System()))
	}
	os.Exit(m.Run())
}

// lab is a whole installation in a folder.
type lab struct {
	testing.TB
	dir, project, dsn string
	primary, standby  *pgtest.Server
	nodes             []*node
	base              string // of the proxy
	client            *http.Client
}

// node is one brenner serve, which comes and goes.
type node struct {
	lab  *lab
	port int
	mu   sync.Mutex
	cmd  *exec.Cmd
	gone chan struct{} // closed when the process ended
	log  *os.File
}

func newLab(t *testing.T, nodes int) *lab {
	t.Helper()
	nginx := "nginx"
	if _, err := exec.LookPath(nginx); err != nil {
		nginx = "/usr/sbin/nginx"
	}
	needs.Program(t, nginx)
	l := &lab{TB: t, dir: t.TempDir()}
	l.project = filepath.Join(l.dir, "project")
	l.must(os.MkdirAll(l.project, 0o755))
	l.must(os.WriteFile(filepath.Join(l.project, ".brennerrc"), []byte(`{"ack": {"deadline": "2s", "reminders": 2}}`), 0o600))
	l.primary = pgtest.Start(t, pgtest.Fast)
	l.standby = l.primary.Standby(t, pgtest.Fast)
	l.dsn = fmt.Sprintf("postgres://brenner@127.0.0.1:%d,"+
		"127.0.0.1:%d/postgres?sslmode=disable&target_session_attrs=read-write&connect_timeout=2&schema=team",
		l.primary.Port(), l.standby.Port())
	for range nodes {
		l.nodes = append(l.nodes, &node{lab: l, port: freePort(t)})
	}
	l.proxy(nginx)
	return l
}

func (l *lab) must(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

// freePort finds a port for a server that comes and goes. The system gives ports from 32768 up to outgoing
// connections, which could take one while its server is away.
func freePort(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := 15000 + mathrand.IntN(32768-15000)
		if ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			ln.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

// proxy starts nginx with the configuration that is handed out, but for addresses and the certificate.
func (l *lab) proxy(nginx string) {
	l.Helper()
	text, err := os.ReadFile("../../deploy/nginx/brenner.conf")
	l.must(err)
	cert, key := filepath.Join(l.dir, "tls.crt"), filepath.Join(l.dir, "tls.key")
	pool := l.certificate(cert, key)
	port := freePort(l)
	replace := []string{"listen 443", fmt.Sprintf("listen 127.0.0.1:%d", port), "/etc/nginx/brenner.crt", cert, "/etc/nginx/brenner.key",
		key}
	for i, n := range l.nodes {
		replace = append(replace, fmt.Sprintf("server 127.0.0.1:%d ", 8765+i), fmt.Sprintf("server 127.0.0.1:%d ", n.port))
	}
	site := strings.NewReplacer(replace...).Replace(string(text))
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(string(text), replace[i]) {
			l.Fatalf("deploy/nginx/brenner.conf has no %q", replace[i])
		}
	}
	l.must(os.WriteFile(filepath.Join(l.dir, "site.conf"), []byte(site), 0o600))
	var main strings.Builder
	fmt.Fprintf(&main, "daemon off;\nmaster_process on;\nworker_processes 1;\npid %s/nginx.pid;\nerror_log %s/nginx.log;\n", l.dir, l.dir)
	if os.Geteuid() == 0 {
		main.WriteString("user root;\n")
	}
	main.WriteString("events { worker_connections 1024; }\nhttp {\naccess_log off;\n")
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&main, "%s_temp_path %s/%s;\n", kind, l.dir, kind)
	}
	fmt.Fprintf(&main, "include %s/site.conf;\n}\n", l.dir)
	config := filepath.Join(l.dir, "nginx.conf")
	l.must(os.WriteFile(config, []byte(main.String()), 0o600))
	if out, err := exec.Command(nginx, "-t", "-p", l.dir, "-c", config, "-e", filepath.Join(l.dir, "nginx.log")).
		CombinedOutput(); err != nil {
		l.Fatalf("nginx -t: %v\n%s", err, out)
	}
	cmd := exec.Command(nginx, "-p", l.dir, "-c", config, "-e", filepath.Join(l.dir, "nginx.log"))
	l.must(cmd.Start())
	l.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	l.base = fmt.Sprintf("https://127.0.0.1:%d", port)
	l.client = &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 8,
	}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// certificate makes one for this machine alone, and returns who trusts it.
func (l *lab) certificate(cert, key string) *x509.CertPool {
	l.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	l.must(err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "team"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().
				Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	l.must(err)
	secret, err := x509.MarshalECPrivateKey(private)
	l.must(err)
	l.must(os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	l.must(os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}), 0o600))
	parsed, err := x509.ParseCertificate(der)
	l.must(err)
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return pool
}

func (l *lab) command(args ...string) *exec.Cmd {
	self, err := os.Executable()
	l.must(err)
	cmd := exec.Command(self, append([]string{"--project", l.project, "--store", l.dsn}, args...)...)
	cmd.Env = append(os.Environ(), playBrenner+"=1", "NO_COLOR=1")
	return cmd
}

// brenner runs a command and returns the one JSON object it prints.
func (l *lab) brenner(to any, args ...string) {
	l.Helper()
	var out, complaint bytes.Buffer
	cmd := l.command(append(args, "--json")...)
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		l.Fatalf("brenner %s: %v\n%s%s", strings.Join(args, " "), err, out.Bytes(), complaint.Bytes())
	}
	if to != nil {
		l.must(json.Unmarshal(out.Bytes(), to))
	}
}

// start begins the process, unless it runs.
func (n *node) start() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.cmd != nil {
		return
	}
	if n.log == nil {
		file, err := os.Create(filepath.Join(n.lab.dir, "node-"+strconv.Itoa(n.port)+".log"))
		if err != nil {
			n.lab.Error(err)
			return
		}
		n.log = file
	}
	cmd := n.lab.command("serve", "--addr", fmt.Sprintf("127.0.0.1:%d", n.port), "--strict-identity", "--lab", "--ack-every", "700ms",
		"--drain", "200ms", "--grace", "5s")
	cmd.Stdout, cmd.Stderr = n.log, n.log
	if err := cmd.Start(); err != nil {
		n.lab.Error(err)
		return
	}
	gone := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(gone)
	}()
	n.cmd, n.gone = cmd, gone
}

// end sends a signal and waits for the end, at most as long as a server may take.
func (n *node) end(with syscall.Signal) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.cmd == nil {
		return
	}
	select {
	case <-n.gone:
		n.lab.Errorf("node %d had ended by itself", n.port)
	default:
	}
	_ = n.cmd.Process.Signal(with)
	select {
	case <-n.gone:
	case <-time.After(20 * time.Second):
		n.lab.Errorf("a node does not end within its grace after %s", with)
		_ = n.cmd.Process.Kill()
		<-n.gone
	}
	n.cmd = nil
}

// ready waits until the node takes mail.
func (n *node) ready() {
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/health/readiness", n.port))
		if err != nil {
			continue
		}
		res.Body.Close()
		if res.StatusCode == http.StatusOK {
			return
		}
	}
	n.lab.Errorf("node %d never got ready", n.port)
}
