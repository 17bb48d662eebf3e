// The parts of a careful client in Go. Those of this folder use them, each with at most one mistake.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const group = "/workgroups/main"

var client = http.Client{Timeout: 3 * time.Second}

type refused struct {
	status     int
	retryAfter string
}

func (r refused) Error() string { return fmt.Sprintf("refused with %d", r.status) }

type reply struct {
	Error  bool
	Result struct {
		ID         string `json:"workspace_id"`
		Status     string `json:"status"`
		Workspaces []struct {
			ID   string `json:"workspace_id"`
			Name string `json:"name"`
		} `json:"workspaces"`
	}
}

// Sends one request.
func call(method, path, body string) (answer reply, err error) {
	request, err := http.NewRequest(method, os.Getenv("SVC_MOCK_URL")+"/controller/v4/v2"+path, strings.NewReader(body))
	if err != nil {
		return answer, err
	}
	request.Header.Set("x-api-key", os.Getenv("SVC_MOCK_KEY"))
	request.Header.Set("content-type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer, err
	}
	if response.StatusCode >= 400 {
		return answer, refused{response.StatusCode, response.Header.Get("Retry-After")}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return answer, err
	}
	if answer.Error {
		return answer, refused{200, ""}
	}
	return answer, nil
}

func temporary(err error) bool {
	var refusal refused
	if errors.As(err, &refusal) {
		return refusal.status == 429 || refusal.status >= 500
	}
	return err != nil
}

func isGone(err error) bool {
	var refusal refused
	return errors.As(err, &refusal) && refusal.status == 404
}

// Waits as long as the service says, or twice as long each time.
func pause(err error, tries int) {
	var refusal refused
	if errors.As(err, &refusal) && refusal.retryAfter != "" {
		seconds, _ := strconv.Atoi(refusal.retryAfter)
		time.Sleep(time.Duration(seconds) * time.Second)
		return
	}
	time.Sleep(50 * time.Millisecond << tries)
}

func patiently(step func() (reply, error)) (answer reply, err error) {
	for tries := 1; ; tries++ {
		answer, err = step()
		if !temporary(err) || tries == 5 {
			return answer, err
		}
		pause(err, tries)
	}
}

func get(path string) (reply, error) {
	return patiently(func() (reply, error) { return call("GET", path, "") })
}

func path(id string) string { return group + "/workspaces/" + id }

// The id of a workspace; empty if there is none.
func find(name string) (string, error) {
	answer, err := get(group)
	for _, workspace := range answer.Result.Workspaces {
		if workspace.Name == name {
			return workspace.ID, err
		}
	}
	return "", err
}

func create(name string) (string, error) {
	answer, err := call("POST", group+"/workspaces", `{"name":"`+name+`"}`)
	return answer.Result.ID, err
}

// Creates a workspace unless it exists, and looks again before each attempt.
func ensure(name string) (string, error) {
	answer, err := patiently(func() (answer reply, err error) {
		answer.Result.ID, err = find(name)
		if err == nil && answer.Result.ID == "" {
			answer.Result.ID, err = create(name)
		}
		return answer, err
	})
	return answer.Result.ID, err
}

// Waits until a workspace is Active.
func wait(id string) error {
	for polls := 0; polls < 100; polls++ {
		answer, err := get(path(id))
		if err != nil {
			return err
		}
		if answer.Result.Status == "Active" {
			return nil
		}
		if answer.Result.Status == "Failed" {
			return errors.New("the workspace has failed")
		}
		time.Sleep(20 * time.Millisecond)
	}
	return errors.New("the workspace does not become Active")
}

// Waits until a workspace is Active, and removes it if it does not become Active.
func activeOrGone(id string) error {
	err := wait(id)
	if err == nil {
		return nil
	}
	if failed := remove(id); failed != nil {
		return failed
	}
	return err
}

func deleteOnce(id string) error {
	_, err := patiently(func() (reply, error) {
		answer, err := call("DELETE", path(id), "")
		if isGone(err) {
			err = nil
		}
		return answer, err
	})
	return err
}

// Removes a workspace, and waits until it is gone.
func remove(id string) error {
	if err := deleteOnce(id); err != nil {
		return err
	}
	for polls := 0; polls < 100; polls++ {
		answer, err := get(path(id))
		if isGone(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if answer.Result.Status == "Failed" {
			if err := deleteOnce(id); err != nil {
				return err
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	return errors.New("the workspace stays")
}

// Removes a workspace by its id, or by its name if the id is empty.
func cleanUp(id, name string) (err error) {
	if id == "" {
		id, err = find(name)
	}
	if err == nil && id != "" {
		err = remove(id)
	}
	return err
}

func main() {
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
