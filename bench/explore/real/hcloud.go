// hcloud-go: its requests, its retries and its waiting for actions.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/hetznercloud/hcloud-go/hcloud"
	"github.com/hetznercloud/hcloud-go/hcloud/schema"
)

func main() {
	client := hcloud.NewClient(
		hcloud.WithToken("token"),
		hcloud.WithEndpoint("http://cloud.test"),
		hcloud.WithHTTPClient(&http.Client{Transport: adaptor{}, Timeout: 3 * time.Second}),
	)
	if err := run(client); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(client *hcloud.Client) (err error) {
	ctx := context.Background()
	created, _, err := client.Server.Create(ctx, hcloud.ServerCreateOpts{
		Name:       "writer",
		ServerType: &hcloud.ServerType{Name: "cx11"},
		Image:      &hcloud.Image{Name: "debian"},
	})
	if err != nil {
		return err
	}
	defer func() {
		_, failed := client.Server.Delete(ctx, created.Server)
		if err == nil {
			err = failed
		}
	}()
	if _, errors := client.Action.WatchProgress(ctx, created.Action); errors != nil {
		if err := <-errors; err != nil {
			return err
		}
	}
	_, _, err = client.Server.Update(ctx, created.Server, hcloud.ServerUpdateOpts{Name: "reader"})
	return err
}

var states = map[string]string{"Creating": "running", "Failed": "error"}
var codes = map[int]string{404: "not_found", 409: "conflict", 429: "rate_limit_exceeded"}

// The adaptor translates the paths and the bodies.
type adaptor struct{}

func (adaptor) RoundTrip(request *http.Request) (*http.Response, error) {
	id := strings.TrimPrefix(strings.TrimPrefix(request.URL.Path, "/servers"), "/actions")
	body := map[string]string{"PUT": `{"workspace_name":"reader"}`, "POST": `{"name":"writer"}`}[request.Method]
	return send(request, id, body, func(status int, reply envelope) any {
		if status >= 400 {
			return schema.ErrorResponse{Error: schema.Error{Code: codes[status], Message: reply.Message}}
		}
		found := reply.Result
		number := numberOf(found.ID)
		state := states[found.Status]
		if state == "" {
			state = "success"
		}
		action := schema.Action{ID: number, Status: state, Error: &schema.ActionError{Code: "failed", Message: "failed"}}
		server := schema.Server{ID: number, Name: found.Name}
		switch {
		case strings.HasPrefix(request.URL.Path, "/actions"):
			return schema.ActionGetResponse{Action: action}
		case request.Method == "POST":
			return schema.ServerCreateResponse{Server: server, Action: action}
		case request.Method == "PUT":
			return schema.ServerUpdateResponse{Server: server}
		}
		return map[string]any{"action": action}
	})
}
