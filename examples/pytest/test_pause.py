def test_a_paused_workspace_resumes(box):
    workgroup = {"id": "main", "workspaces": [{"id": "writer"}]}
    box.send("PUT", "/_mock/seed", {"clock": {"mode": "frozen"}, "workgroups": [workgroup]})
    path = "/controller/v4/v2/workgroups/main/workspaces/writer"
    for action, status in [("pause", "Stopped"), ("resume", "Active")]:
        box.send("POST", f"{path}/{action}")
        box.send("POST", "/_mock/clock/advance", {"until": "idle"})
        assert box.result("GET", path)["status"] == status
