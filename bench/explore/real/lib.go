// Lets clients of other services talk to svc-mock: paths and bodies are translated around their own requests.
package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
)

type envelope struct {
	Error   bool
	Message string
	Result  struct {
		ID     string `json:"workspace_id"`
		Name   string `json:"name"`
		Status string `json:"status"`
	}
}

// The ids of the clients are numbers, ours are texts.
var ids = map[int]string{}

func numberOf(id string) int {
	if id == "" {
		return 0
	}
	number, _ := strconv.ParseInt(id[:8], 16, 64)
	ids[int(number)+1] = id
	return int(number) + 1
}

// Sends the request to svc-mock instead, and the reply in the words of the client.
func send(request *http.Request, id, body string, translate func(int, envelope) any) (*http.Response, error) {
	if id != "" {
		number, _ := strconv.Atoi(strings.TrimPrefix(id, "/"))
		id = "/" + ids[number]
	}
	address := os.Getenv("SVC_MOCK_URL") + "/controller/v4/v2/workgroups/main/workspaces" + id
	ours, err := http.NewRequestWithContext(request.Context(), request.Method, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	ours.Header.Set("x-api-key", os.Getenv("SVC_MOCK_KEY"))
	ours.Header.Set("content-type", "application/json")
	response, err := http.DefaultTransport.RoundTrip(ours)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	var reply envelope
	if json.Unmarshal(text, &reply) == nil {
		if reply.Error && response.StatusCode < 400 {
			response.StatusCode = 500
		}
		text, _ = json.Marshal(translate(response.StatusCode, reply))
	}
	response.Body = io.NopCloser(bytes.NewReader(text))
	response.ContentLength = int64(len(text))
	return response, nil
}
