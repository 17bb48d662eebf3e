// godo: its requests, and the waiting of its package util.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/digitalocean/godo"
	"github.com/digitalocean/godo/util"
)

func main() {
	client, err := godo.New(&http.Client{Transport: adaptor{}, Timeout: 3 * time.Second})
	if err == nil {
		err = run(client)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(client *godo.Client) (err error) {
	ctx := context.Background()
	droplet, reply, err := client.Droplets.Create(ctx, &godo.DropletCreateRequest{Name: "writer", Region: "nyc3"})
	if err != nil {
		return err
	}
	defer func() {
		_, failed := client.Droplets.Delete(ctx, droplet.ID)
		if err == nil {
			err = failed
		}
	}()
	if err := util.WaitForActive(ctx, client, reply.Links.Actions[0].HREF); err != nil {
		return err
	}
	_, _, err = client.DropletActions.Rename(ctx, droplet.ID, "reader")
	return err
}

var states = map[string]string{"Creating": godo.ActionInProgress, "Failed": "errored"}

// The adaptor translates the paths and the bodies.
type adaptor struct{}

func (adaptor) RoundTrip(request *http.Request) (*http.Response, error) {
	path := strings.TrimPrefix(request.URL.Path, "/v2/droplets")
	method, body, id := request.Method, "", strings.TrimSuffix(path, "/actions")
	if method == "POST" && id == "" {
		body = `{"name":"writer"}`
	} else if method == "POST" {
		request.Method, body = "PUT", `{"workspace_name":"reader"}`
	}
	return send(request, id, body, func(status int, reply envelope) any {
		if status >= 400 {
			return map[string]string{"id": fmt.Sprint(status), "message": reply.Message}
		}
		found := reply.Result
		number := numberOf(found.ID)
		state := states[found.Status]
		if state == "" {
			state = godo.ActionCompleted
		}
		if method == "POST" && id == "" {
			address := fmt.Sprintf("http://cloud.test/v2/droplets/%d/actions", number)
			link := map[string]any{"id": 1, "rel": "create", "href": address}
			return map[string]any{"droplet": map[string]any{"id": number}, "links": map[string]any{"actions": []any{link}}}
		}
		return map[string]any{"action": map[string]any{"id": 1, "status": state}}
	})
}
