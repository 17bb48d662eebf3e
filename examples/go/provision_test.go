package provision

import (
	"context"
	"testing"
	"time"

	svcmock "github.com/svc-mock/svc-mock/clients/go"
)

// start gives a test a client of a sandbox in which a client that polls never waits, and checks at the end that nothing
// is left.
func start(t *testing.T) (*svcmock.Sandbox, Client) {
	box := svcmock.Start(t).Sandbox(t)
	box.SetClock(svcmock.Input{"mode": "poll"})
	t.Cleanup(func() {
		if err := box.CheckDestroy(); err != nil {
			t.Error(err)
		}
	})
	return box, Client{URL: box.URL, Key: box.Key, Interval: time.Millisecond}
}

func TestWorkspaceLives(t *testing.T) {
	box, client := start(t)
	workspace, err := client.Create(context.Background(), "writer")
	if err != nil {
		t.Fatal(err)
	}
	if box.CheckDestroy() == nil || box.CheckDestroy("writer", "writer/writer") != nil {
		t.Error("the workspace is there, and nothing else")
	}
	if err := client.Delete(context.Background(), workspace); err != nil {
		t.Fatal(err)
	}
	if err := client.Delete(context.Background(), workspace); err != nil {
		t.Errorf("a second time: %v", err)
	}
}

func TestAskedForPatience(t *testing.T) {
	box, client := start(t)
	fault := svcmock.Input{"operation": "createWorkspace", "times": 2, "effect": svcmock.Input{"status": 503}}
	box.AddFault(fault)
	workspace, err := client.Create(context.Background(), "writer")
	if err != nil {
		t.Fatal(err)
	}
	box.VerifyRequests(svcmock.Input{"operation": "createWorkspace", "times": svcmock.Input{"exactly": 3}})
	if err := client.Delete(context.Background(), workspace); err != nil {
		t.Fatal(err)
	}
}

func TestFailedCreationLeavesNothing(t *testing.T) {
	box, client := start(t)
	fail := svcmock.Input{"transition": "workspace.create", "outcome": "fail", "times": 1}
	box.ReplaceTransitionRules(svcmock.Input{"rules": []svcmock.Input{fail}})
	if _, err := client.Create(context.Background(), "writer"); err == nil {
		t.Error("it should have failed")
	}
}
