import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { MAIN } from '../helper.js'
import { temporaryFolder } from '../temporary.js'
import { lacking, ROOT, run } from './tools.js'

/** Sleeps for an hour after another goroutine has slept, and prints how long. */
const SLEEPS = `package main

import (
	"fmt"
	"time"

	"github.com/svc-mock/svc-mock/clients/go/clock"
)

func main() {
	ended := make(chan bool)
	go func() {
		time := clock.New()
		time.Sleep(1)
		time.Close()
		ended <- true
	}()
	<-ended
	time, minute := clock.New(), time.Minute
	begin := time.Now()
	for i := 0; i < 60; i++ {
		time.Sleep(minute)
	}
	fmt.Println(time.Now().Sub(begin))
}
`

const OWN_TESTS = `package svcmock

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/svc-mock/svc-mock/clients/go/clock"
)

type failing struct {
	testing.TB
	said string
}

func (f *failing) Fatalf(format string, values ...any) {
	f.said = fmt.Sprintf(format, values...)
	runtime.Goexit()
}

func (f *failing) Log(values ...any) { f.said = fmt.Sprint(values...) }

func TestSaysThatARunningServerIgnoresOptions(t *testing.T) {
	t.Setenv("SVC_MOCK_URL", "http://127.0.0.1:1")
	logging := &failing{TB: t}
	Start(logging)
	if logging.said != "" {
		t.Error(logging.said)
	}
	Start(logging, "--demo")
	if !strings.Contains(logging.said, "SVC_MOCK_URL") {
		t.Error(logging.said)
	}
}

func TestSaysHowAStartEnded(t *testing.T) {
	t.Setenv("SVC_MOCK_COMMAND", "sh -c 'exit 3'")
	failed, ended := &failing{TB: t}, make(chan bool)
	go func() {
		defer close(ended)
		Start(failed)
	}()
	<-ended
	if !strings.Contains(failed.said, "exit status 3") {
		t.Error(failed.said)
	}
}

type broken struct{}

func (broken) RoundTrip(*http.Request) (*http.Response, error) { return nil, http.ErrServerClosed }

func TestStartsWithASilentLog(t *testing.T) {
	Start(t, "--log-level", "silent").Sandbox(t).ReadClock()
}

func TestItsClockAcceptsASlashAtTheEndOfTheUrl(t *testing.T) {
	box := Start(t).Sandbox(t)
	box.SetClock(Input{"mode": "frozen", "now": "2030-01-01T00:00:00Z"})
	t.Setenv("SVC_MOCK_URL", box.URL+"/")
	t.Setenv("SVC_MOCK_KEY", box.Key)
	t.Setenv("SVC_MOCK_TOKEN", box.token)
	if year := clock.New().Now().Year(); year != 2030 {
		t.Error(year)
	}
}

func TestNeedsNoDefaultTransport(t *testing.T) {
	defer func(usual http.RoundTripper) { http.DefaultTransport = usual }(http.DefaultTransport)
	http.DefaultTransport = broken{}
	Start(t).Sandbox(t).ReadClock()
}

func TestFormats(t *testing.T) {
	box := Start(t).Sandbox(t)
	junit := box.ReadCoverage(Input{"format": "junit"})
	recording, err := box.Try("GET", "/recording", nil)
	if junit.JSON[0] != '<' || err != nil || recording[0] != '{' {
		t.Error(junit, err)
	}
}
`

const skip = lacking({ go: 'golang-go', gofmt: 'golang-go' })

void t.test('the client for Go, and the acceptance test that uses it', { skip, timeout: 600_000 }, async (t) => {
  const work = temporaryFolder(t)
  for (const folder of ['clients/go', 'examples/go'])
    cpSync(join(ROOT, folder), join(work, folder), { recursive: true })
  const env = {
    SVC_MOCK_COMMAND: `'${process.execPath}' "${MAIN}"`,
    SVC_MOCK_CONTROL_TOKEN: 'let-me-in',
    GOCACHE: join(work, 'cache'),
    GOPATH: join(work, 'path'),
    GOFLAGS: '-mod=mod',
    GOPROXY: 'off'
  }
  t.equal(await run('gofmt', ['-l', work]), '', 'they are laid out as Go wants it')
  const go = (folder: string, ...args: string[]) => run('go', args, { cwd: join(work, folder), env, minutes: 5 })
  await go('clients/go', 'vet', './...')
  t.match(await go('examples/go', 'test', '-v', './...'), /(?:--- PASS[^]*){3}\nok /)
  writeFileSync(join(work, 'clients/go/own_test.go'), OWN_TESTS)
  await go('clients/go', 'test', '.')

  const program = join(work, 'clients/go/program')
  mkdirSync(program)
  writeFileSync(join(program, 'main.go'), SLEEPS)
  await go('clients/go', 'build', '-o', join(work, 'sleeps'), './program')
  const inVirtualTime = ['run', '--virtual-time', '--', join(work, 'sleeps')]
  t.equal(await run(process.execPath, [MAIN, ...inVirtualTime]), '1h0m0s\n')
})
