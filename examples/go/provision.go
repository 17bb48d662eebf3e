// Package provision makes a workspace, waits until it runs, and removes it, as the resource of a Terraform provider does.
package provision

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Client calls the control plane at a URL.
type Client struct {
	URL, Key string
	// Interval is the time between two tries, and between two polls.
	Interval time.Duration
}

// Workspace is what was made, with the database that comes with it.
type Workspace struct {
	GroupID    string `json:"workgroup_id"`
	ID         string `json:"workspace_id"`
	DatabaseID string `json:"database_id"`
	Status     string `json:"status"`
}

type refusal struct {
	status  int
	message string
}

func (r *refusal) Error() string { return fmt.Sprintf("%s (%d)", r.message, r.status) }

// Create makes a workgroup with a workspace of the same name, and waits until that is Active. What it has made is
// removed if it fails.
func (c Client) Create(ctx context.Context, name string) (workspace Workspace, err error) {
	var group Workspace
	if err = c.call(ctx, "POST", "", map[string]string{"name": name, "cloud_provider_id": "any"}, &group); err != nil {
		return
	}
	defer func() {
		if err != nil {
			workspace.GroupID = group.GroupID
			_ = c.Delete(context.Background(), workspace)
		}
	}()
	if err = c.call(ctx, "POST", "/"+group.GroupID+"/workspaces", map[string]string{"name": name}, &workspace); err != nil {
		return
	}
	workspace.GroupID = group.GroupID
	for workspace.Status != "Active" {
		if workspace.Status == "Failed" {
			return workspace, fmt.Errorf("workspace %s has failed", name)
		}
		if err = c.pause(ctx); err != nil {
			return
		}
		if err = c.call(ctx, "GET", path(workspace), nil, &workspace); err != nil {
			return
		}
	}
	return
}

// Delete removes a workspace, its database and its workgroup, in this order. Any of them may already be gone.
func (c Client) Delete(ctx context.Context, workspace Workspace) error {
	for workspace.ID != "" {
		var seen Workspace
		err := c.call(ctx, "GET", path(workspace), nil, &seen)
		if isGone(err) {
			break
		}
		if err == nil && seen.Status != "Terminating" {
			err = c.call(ctx, "DELETE", path(workspace), nil, nil)
		}
		if err != nil && !isGone(err) {
			return err
		}
		if err := c.pause(ctx); err != nil {
			return err
		}
	}
	var rest []string
	if workspace.DatabaseID != "" {
		rest = append(rest, "/databases/"+workspace.DatabaseID)
	}
	for _, what := range append(rest, "") {
		if err := c.call(ctx, "DELETE", "/"+workspace.GroupID+what, nil, nil); err != nil && !isGone(err) {
			return err
		}
	}
	return nil
}

func path(workspace Workspace) string {
	return "/" + workspace.GroupID + "/workspaces/" + workspace.ID
}

func isGone(err error) bool {
	refused, ok := err.(*refusal)
	return ok && refused.status == http.StatusNotFound
}

func (c Client) pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(c.Interval):
		return nil
	}
}

// call sends a request, and sends it again while the service asks for patience.
func (c Client) call(ctx context.Context, method, path string, body, result any) error {
	for {
		err := c.send(ctx, method, path, body, result)
		refused, ok := err.(*refusal)
		if !ok || (refused.status != http.StatusServiceUnavailable && refused.status != http.StatusTooManyRequests) {
			return err
		}
		if err := c.pause(ctx); err != nil {
			return err
		}
	}
}

func (c Client) send(ctx context.Context, method, path string, body, result any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		text = nil
	}
	address := c.URL + "/controller/v4/v2/workgroups" + path
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("X-Api-Key", c.Key)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	var envelope struct {
		Error   bool
		Message string
		Result  json.RawMessage
	}
	if err := json.NewDecoder(reply.Body).Decode(&envelope); err != nil {
		return err
	}
	if envelope.Error {
		return &refusal{reply.StatusCode, envelope.Message}
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(envelope.Result, result)
}
