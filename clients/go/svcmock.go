// Package svcmock controls svc-mock, a mock control plane, from Go tests. It needs only the standard library.
//
//	func TestPause(t *testing.T) {
//		box := svcmock.Start(t).Sandbox(t)
//		box.SetClock(svcmock.Input{"mode": "poll"})
//		client := mine.NewClient(box.URL, box.Key)
//		...
//		if err := box.CheckDestroy(); err != nil {
//			t.Error(err)
//		}
//	}
//
// The methods of a Sandbox are the calls of test control, by their operationIds; docs/test-control.md describes them.
package svcmock

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// StartLimit is how long a server may take to start.
const StartLimit = 30 * time.Second

const stopLimit = 10 * time.Second

// word is a word of a command, perhaps in quotes.
var word = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)

// client, unlike http.DefaultClient, calls the server even if a test replaces http.DefaultTransport, or the environment
// names a proxy.
var client = &http.Client{Transport: &http.Transport{
	DialContext: (&net.Dialer{Timeout: StartLimit}).DialContext,
}}

// Input has the fields of a call: those of its body, or of its query.
type Input map[string]any

// Mock is a running server.
type Mock struct {
	// URL is where it listens, without the base path.
	URL   string
	token string
}

// Sandbox is one sandbox of a server. A call that fails ends the test.
type Sandbox struct {
	// URL is where its server listens, and Key is the API key that names the sandbox.
	URL, Key string
	t        testing.TB
	token    string
}

// ServiceError is an error reply.
type ServiceError struct {
	Status    int
	Message   string
	RequestID string
}

func (e *ServiceError) Error() string { return fmt.Sprintf("%s (status %d)", e.Message, e.Status) }

// Start gives a test a server: the one that SVC_MOCK_URL names, with the token in SVC_MOCK_TOKEN, or one of its own, in
// memory, which ends with the test. SVC_MOCK_COMMAND says how to start it, by default `svc-mock`, but not by npx, which
// swallows the interrupt at the end; options are those of `svc-mock serve`.
func Start(t testing.TB, options ...string) *Mock {
	t.Helper()
	token := os.Getenv("SVC_MOCK_TOKEN")
	if running := os.Getenv("SVC_MOCK_URL"); running != "" {
		if len(options) > 0 {
			t.Log("svcmock: SVC_MOCK_URL names a running server, which ignores the options given here")
		}
		return &Mock{URL: strings.TrimRight(running, "/"), token: token}
	}
	if token == "" {
		token = os.Getenv("SVC_MOCK_CONTROL_TOKEN")
	}
	words := word.FindAllString(os.Getenv("SVC_MOCK_COMMAND"), -1)
	for i := range words {
		words[i] = strings.Trim(words[i], `"'`)
	}
	if len(words) == 0 {
		words = []string{"svc-mock"}
	}
	args := append(words[1:], "serve", "--port", "0", "--db", ":memory:")
	// The last one counts: the log must say where the server listens.
	args = append(append(args, options...), "--log-level", "warn")
	command := exec.Command(words[0], args...)
	command.Env = append(withoutOwn(os.Environ()), "SVC_MOCK_CONTROL_TOKEN="+token)
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		t.Fatalf("svcmock: %v; install svc-mock, give its command in SVC_MOCK_COMMAND, or name a running server in "+
			"SVC_MOCK_URL", err)
	}
	t.Cleanup(func() {
		// It ends soon after an interrupt, which Windows does not support.
		if command.Process.Signal(os.Interrupt) != nil {
			_ = command.Process.Kill()
		}
		late := time.AfterFunc(stopLimit, func() {
			t.Errorf("svcmock: %s did not end when interrupted, and its server may still run", words[0])
			_ = command.Process.Kill()
		})
		_ = command.Wait()
		late.Stop()
	})
	late := time.AfterFunc(StartLimit, func() { _ = command.Process.Kill() })
	defer late.Stop()
	lines := bufio.NewScanner(output)
	said := ""
	for lines.Scan() {
		var entry struct{ URL string }
		if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.URL != "" {
			// The server drops lines of its log that nobody reads.
			go func() { _, _ = io.Copy(io.Discard, output) }()
			return &Mock{URL: entry.URL, token: token}
		}
		said += "\n" + lines.Text()
	}
	_ = command.Wait()
	t.Fatalf("svcmock: %s did not start within %v (%v); it said:%s", words[0], StartLimit, command.ProcessState, said)
	return nil
}

// withoutOwn removes variables for clients, which the server would refuse.
func withoutOwn(environment []string) []string {
	var others []string
	for _, variable := range environment {
		name, _, _ := strings.Cut(variable, "=")
		switch name {
		case "SVC_MOCK_URL", "SVC_MOCK_TOKEN", "SVC_MOCK_KEY", "SVC_MOCK_COMMAND":
		default:
			others = append(others, variable)
		}
	}
	return others
}

// Sandbox makes a new sandbox, which is removed when the test ends.
func (m *Mock) Sandbox(t testing.TB) *Sandbox {
	t.Helper()
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	box := m.WithKey(t, hex.EncodeToString(random))
	t.Cleanup(func() { _, _ = box.Try("DELETE", "/sandboxes", nil) })
	return box
}

// WithKey is the sandbox of a key, such as that of a fork.
func (m *Mock) WithKey(t testing.TB, key string) *Sandbox {
	return &Sandbox{URL: m.URL, Key: key, t: t, token: m.token}
}

// Header has the headers that select the sandbox.
func (s *Sandbox) Header() http.Header {
	header := http.Header{"X-Api-Key": {s.Key}}
	if s.token != "" {
		header.Set("X-Mock-Token", s.token)
	}
	return header
}

// Try makes a call of test control, such as Try("GET", "/overview", nil), and returns the Result of its reply, or a
// recording or JUnit XML as it is. The error of a refusal is a *ServiceError.
func (s *Sandbox) Try(method, path string, body any) (json.RawMessage, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, s.URL+"/_mock"+path, content)
	if err != nil {
		return nil, err
	}
	request.Header = s.Header()
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	reply, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	switch kind, _, _ := strings.Cut(reply.Header.Get("Content-Type"), ";"); kind {
	case "application/x-ndjson", "application/xml":
		return io.ReadAll(reply.Body)
	}
	var envelope struct {
		Message, RequestID string
		Result             json.RawMessage
	}
	if err := json.NewDecoder(reply.Body).Decode(&envelope); err != nil {
		return nil, fmt.Errorf("%s %s answered with status %d, but not like svc-mock: %w", method, path, reply.StatusCode, err)
	}
	if reply.StatusCode >= 400 {
		return nil, &ServiceError{reply.StatusCode, envelope.Message, envelope.RequestID}
	}
	return envelope.Result, nil
}

// Result is the Result of a reply, as JSON.
type Result struct {
	JSON json.RawMessage
	t    testing.TB
}

// Decode stores the result in a value, as json.Unmarshal does.
func (r Result) Decode(value any) {
	r.t.Helper()
	if err := json.Unmarshal(r.JSON, value); err != nil {
		r.t.Fatal(err)
	}
}

func (s *Sandbox) call(method, path string, query, body Input) Result {
	s.t.Helper()
	values := url.Values{}
	for name, value := range query {
		values.Set(name, fmt.Sprint(value))
	}
	if len(values) > 0 {
		path += "?" + values.Encode()
	}
	var content any
	if body != nil {
		content = body
	}
	result, err := s.Try(method, path, content)
	if err != nil {
		s.t.Fatalf("svcmock: %s %s: %v", method, path, err)
	}
	return Result{result, s.t}
}

// CheckDestroy returns an error that names the workgroups and workspaces that still exist, except those named:
// `main`, or `main/writer`. It has the form of a check after an acceptance test.
func (s *Sandbox) CheckDestroy(except ...string) error {
	s.t.Helper()
	var state struct {
		Workgroups []struct {
			Name       string
			Workspaces []struct{ Name string }
		}
	}
	s.ReadState().Decode(&state)
	expected := map[string]bool{}
	for _, name := range except {
		expected[name] = true
	}
	var left []string
	look := func(kind, name string) {
		if !expected[name] {
			left = append(left, kind+" "+name)
		}
	}
	for _, group := range state.Workgroups {
		look("workgroup", group.Name)
		for _, workspace := range group.Workspaces {
			look("workspace", group.Name+"/"+workspace.Name)
		}
	}
	if len(left) == 0 {
		return nil
	}
	return fmt.Errorf("still there: %s", strings.Join(left, ", "))
}
