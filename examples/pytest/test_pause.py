def test_a_paused_workspace_resumes(box):
    box.send("PUT", "/_mock/seed", {"clock": {"mode": "frozen"}, "workgroups": [{"id": "main", "workspaces": [{"id": "writer"}]}]})
    path = "/controller/v4/v2/workgroups/main/workspaces/writer"
    for action, status in [("pause", "Stopped"), ("resume", "Active")]:
        box.send("POST", f"{path}/{action}")
        box.send("POST", "/_mock/clock/advance", {"until": "idle"})
        assert box.result("GET", path)["status"] == status
