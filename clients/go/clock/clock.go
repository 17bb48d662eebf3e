// Package clock gives a program the time of a sandbox of svc-mock, so that its waiting takes no time:
//
//	svc-mock run --virtual-time -- ./provision
//
// A program can use it if the code that waits was given its clock. Elsewhere, where no SVC_MOCK_URL names a server, it
// is the clock of the machine.
package clock

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

// Clock tells the time and sleeps, for one goroutine: each one that sleeps needs a Clock of its own.
type Clock struct {
	server, key, token, name string
	client                   *http.Client
}

var made atomic.Int64

// New makes a clock for the goroutine that calls it, by the variables that `svc-mock run` and `svc-mock explore` set.
func New() *Clock {
	return &Clock{
		server: strings.TrimRight(os.Getenv("SVC_MOCK_URL"), "/"),
		key:    os.Getenv("SVC_MOCK_KEY"),
		token:  os.Getenv("SVC_MOCK_TOKEN"),
		name:   fmt.Sprintf("go-%d-%d", os.Getpid(), made.Add(1)),
		// While its connection is open, the server knows that the goroutine is awake or asleep.
		client: &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}},
	}
}

// Now is the time.
func (c *Clock) Now() time.Time {
	if c.server == "" {
		return time.Now()
	}
	return c.call("GET", "/clock", nil)
}

// Sleep waits until a duration has passed.
func (c *Clock) Sleep(d time.Duration) {
	if c.server == "" {
		time.Sleep(d)
		return
	}
	// The server counts in milliseconds, and nobody may wake up early.
	milliseconds := (d + time.Millisecond - 1).Milliseconds()
	if milliseconds > 0 {
		c.call("POST", "/clock/sleep", map[string]string{"participant": c.name, "until": fmt.Sprintf("%dms", milliseconds)})
	}
}

// Close must be called when the goroutine ends, or before it waits for others: while it counts as awake, nobody's time
// jumps. A later Sleep takes part again.
func (c *Clock) Close() {
	c.client.CloseIdleConnections()
}

// call ends the program if the server does not answer, because a wrong time would be worse.
func (c *Clock) call(method, path string, body any) time.Time {
	var envelope struct {
		Message string
		Result  struct{ Now time.Time }
	}
	var content io.Reader
	if body != nil {
		text, _ := json.Marshal(body)
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, c.server+"/_mock"+path, content)
	if err == nil {
		request.Header = http.Header{"X-Api-Key": {c.key}}
		if c.token != "" {
			request.Header.Set("X-Mock-Token", c.token)
		}
		if body != nil {
			request.Header.Set("Content-Type", "application/json")
		}
		var reply *http.Response
		if reply, err = c.client.Do(request); err == nil {
			defer reply.Body.Close()
			err = json.NewDecoder(reply.Body).Decode(&envelope)
			if err == nil && reply.StatusCode != http.StatusOK {
				err = fmt.Errorf("status %d: %s", reply.StatusCode, envelope.Message)
			}
		}
	}
	if err != nil {
		panic(fmt.Sprintf("cannot read the time of svc-mock: %v", err))
	}
	return envelope.Result.Now
}
