"""Tests svc_mock against the server at SVC_MOCK_URL, which needs the token in SVC_MOCK_TOKEN.

SVC_MOCK_COMMAND says how to start another one:
    python3 -m unittest discover clients/python
"""
import os
import pickle
import sys
import tempfile
import unittest
from datetime import datetime, timedelta, timezone
from unittest.mock import patch

from svc_mock import Mock, ServiceError, StartError, VerificationError

NEW_YEAR = datetime(2027, 1, 1, tzinfo=timezone.utc)
SEED = {
    "clock": {"mode": "frozen", "now": "2027-01-01T00:00:00Z"},
    "workgroups": [{"id": "main", "workspaces": [{"id": "writer"}]}],
}
WRITER = {"workgroup_id": "main", "workspace_id": "writer"}


class SandboxTest(unittest.TestCase):
    """A sandbox with one workspace and a clock that stands still."""

    def setUp(self):
        self.mock = Mock()
        self.box = self.mock.sandbox()
        self.addCleanup(self.box.remove)
        self.box.seed(SEED)

    def status(self):
        return self.box.call("getWorkspace", **WRITER)["status"]


class ClockTest(SandboxTest):
    def test_a_pause_takes_time_by_the_clock_of_the_sandbox(self):
        self.box.call("pauseWorkspace", **WRITER)
        self.assertEqual("Pausing", self.status())
        moved = self.box.clock.advance(until="idle")
        self.assertEqual(["workspace.pause"], [event["event"] for event in moved["fired"]])
        self.assertEqual("Stopped", self.status())

    def test_it_moves_by_a_duration_to_a_time_and_until_a_status(self):
        clock = self.box.clock
        self.assertEqual("2027-01-01T01:00:00.000Z", clock.advance(by="PT1H")["clock"]["now"])
        self.assertEqual("2027-01-01T01:00:01.500Z", clock.advance(by=timedelta(seconds=1.5))["clock"]["now"])
        self.assertEqual("2027-01-02T00:00:00.000Z", clock.advance(to=NEW_YEAR + timedelta(days=1))["clock"]["now"])
        self.box.call("pauseWorkspace", **WRITER)
        clock.advance(until={"workspace_id": "writer", "status": "Stopped"}, max=timedelta(minutes=10))
        self.assertEqual("Stopped", self.status())

    def test_a_time_may_have_any_zone_but_needs_one(self):
        odd = timezone(timedelta(hours=5, minutes=30, seconds=15))
        moved = self.box.clock.freeze(datetime(2027, 1, 2, tzinfo=odd))
        self.assertEqual("2027-01-01T18:29:45.000Z", moved["clock"]["now"])
        with self.assertRaisesRegex(ValueError, r"datetime\(2027, 1, 2, 0, 0\) needs a time zone, .*timezone\.utc"):
            self.box.clock.freeze(datetime(2027, 1, 2))

    def test_a_duration_of_a_wrong_type_is_refused_by_name(self):
        with self.assertRaisesRegex(ServiceError, "by must be a string, not a number"):
            self.box.clock.advance(by=5)

    def test_it_can_be_frozen_set_and_resumed(self):
        clock = self.box.clock
        self.assertEqual("real", clock.resume()["clock"]["mode"])
        self.assertEqual(60, clock.set(rate=60)["clock"]["rate"])
        clock.freeze("2030-01-01T00:00:00Z")
        self.assertEqual(("frozen", "2030-01-01T00:00:00.000Z"), (clock.read()["mode"], clock.read()["now"]))


class StateTest(SandboxTest):
    def test_a_reset_returns_to_the_seed_except_for_what_it_keeps(self):
        self.box.clock.advance(by="P1D")
        self.box.call("deleteWorkspace", **WRITER)
        self.box.reset(keep=["clock"])
        self.assertEqual("Active", self.status())
        self.assertEqual("2027-01-02T00:00:00.000Z", self.box.clock.read()["now"])

    def test_a_document_is_read_and_replaces_the_sandbox(self):
        document = self.box.state.read()
        self.box.state.replace({})
        self.assertEqual([], self.box.call("listWorkgroups"))
        self.box.state.replace(document)
        self.assertEqual(document, self.box.state.read())

    def test_a_snapshot_is_saved_listed_restored_and_deleted(self):
        self.box.snapshot.save("before")
        self.box.call("pauseWorkspace", **WRITER)
        self.box.snapshot.restore("before")
        self.assertEqual("Active", self.status())
        self.assertEqual(["before"], [snapshot["name"] for snapshot in self.box.snapshot.list()])
        self.box.snapshot.delete("before")
        self.assertEqual([], self.box.snapshot.list())

    def test_sandboxes_share_nothing_and_a_with_block_removes_its_own(self):
        with self.mock.sandbox() as other:
            self.assertEqual([], other.call("listWorkgroups"))
            other.seed(SEED)
            again = self.mock.sandbox(other.key)
            self.assertEqual(["main"], [group["workgroup_id"] for group in again.call("listWorkgroups")])
        self.assertEqual([], again.call("listWorkgroups"))
        again.remove()


    def test_a_fork_starts_from_the_baseline_or_a_snapshot(self):
        self.box.call("pauseWorkspace", **WRITER)
        self.box.clock.advance(until="idle")
        self.box.snapshot.save("paused")
        for fork, status in ((self.box.fork(), "Active"), (self.box.fork("paused", timedelta(hours=1)), "Stopped")):
            with fork:
                self.assertEqual(status, fork.call("getWorkspace", **WRITER)["status"])
        with self.assertRaises(ServiceError):
            self.box.fork("x")

    def test_a_fork_that_is_gone_can_be_removed(self):
        with self.box.fork() as fork:
            fork.remove()
        with self.assertRaisesRegex(ServiceError, "401"):
            fork.clock.read()

    def test_all_sandboxes_are_listed_and_idle_ones_purged(self):
        listed = self.mock.sandboxes.list(limit=1)
        self.assertEqual(1, len(listed["sandboxes"]))
        self.assertGreaterEqual(listed["total"], 1)
        self.assertEqual([], self.mock.sandboxes.list(after=10 ** 9)["sandboxes"])
        self.assertEqual(0, self.mock.sandboxes.purge(timedelta(days=1)))

    def test_a_backup_and_activity_are_made_from_outside_the_interface(self):
        self.assertEqual(("mine", "Running"), tuple(map(self.box.backup("writer", "mine").get, ("tag", "status"))))
        self.assertEqual(["backup.run"], [event["event"] for event in self.box.events()])
        self.box.activity("writer")
        with self.assertRaises(ServiceError):
            self.box.activity("x")

    def test_the_coverage_counts_until_it_is_cleared(self):
        self.status()
        self.assertEqual(1, self.box.coverage.read()["summary"]["operations"]["exercised"])
        self.assertTrue(self.box.coverage.junit().startswith("<?xml"))
        self.box.coverage.clear()
        self.assertEqual(0, self.box.coverage.read()["summary"]["operations"]["exercised"])


class FailuresTest(SandboxTest):
    def test_a_fault_makes_a_call_fail_and_can_be_removed(self):
        fault = self.box.fault.add({"status": 503, "reason": "Later."}, operation="getWorkspace")
        with self.assertRaises(ServiceError) as caught:
            self.status()
        error = caught.exception
        self.assertEqual((503, "Internal-Error", "Later."), (error.status, error.type, error.message))
        self.assertEqual([1], [one["hits"] for one in self.box.fault.list()])
        self.box.fault.remove(fault["id"])
        self.assertEqual("Active", self.status())
        self.box.fault.add({"status": 200})
        with self.assertRaisesRegex(ServiceError, "200 Internal-Error"):
            self.status()
        self.assertEqual(1, self.box.fault.clear())

    def test_a_lost_reply_is_a_connection_error(self):
        for reply in ("drop", "cut"):
            self.box.fault.add({"reply": reply}, operation="getWorkspace", times=1)
            with self.assertRaises(ConnectionError):
                self.status()
        self.box.fault.add({"reply": "empty"}, operation="getWorkspace", times=1)
        self.assertIsNone(self.box.call("getWorkspace", **WRITER))

    def test_a_rule_decides_how_a_transition_ends(self):
        rules = [{"transition": "workspace.pause", "outcome": "hold"}]
        self.assertEqual(rules[0]["outcome"], self.box.transitions.replace(rules)[0]["outcome"])
        self.box.call("pauseWorkspace", **WRITER)
        self.box.clock.advance(by="P1D")
        self.assertEqual("Pausing", self.status())
        self.assertEqual(1, len(self.box.transitions.release("workspace.pause", "writer")))
        self.assertEqual("Stopped", self.status())
        self.assertEqual(1, len(self.box.transitions.read()))

    def test_a_quota_is_set_and_lifted(self):
        self.assertEqual(1, self.box.quotas.set(rw_workspaces=1)["rw_workspaces"])
        with self.assertRaises(ServiceError) as caught:
            self.box.call("createWorkspace", workgroup_id="main", body={"name": "second"})
        self.assertEqual((403, "Quota-Exceed"), (caught.exception.status, caught.exception.type))
        self.box.quotas.set(rw_workspaces=None)
        self.assertIsNone(self.box.quotas.read()["rw_workspaces"])
        created = self.box.call("createWorkspace", workgroupID="main", body={"name": "second"})
        self.assertEqual("second", created["name"])

    def test_an_error_names_the_fields_and_the_request(self):
        with self.assertRaises(ServiceError) as caught:
            body = {"name": 1, "is_rw": "no"}
            self.box.call("createWorkspace", workgroup_id="main", body=body, request_id="wrong-1")
        error = caught.exception
        self.assertEqual((400, "Bad-Request", "wrong-1"), (error.status, error.type, error.request_id))
        self.assertEqual({"name", "is_rw"}, {detail["FieldName"] for detail in error.details})
        self.assertEqual(f"400 Bad-Request: {error.message}", str(error))
        self.assertEqual(error.args, pickle.loads(pickle.dumps(error)).args)


class RequestsTest(SandboxTest):
    def test_the_calls_of_the_interface_are_listed_with_what_they_changed(self):
        self.box.call("pauseWorkspace", **WRITER, request_id="pause-1")
        self.status()
        since = datetime.now(timezone.utc) - timedelta(hours=1)
        listed = self.box.requests.list(operation="pauseWorkspace", since=since)["requests"]
        self.assertEqual(["pause-1"], [one["request_id"] for one in listed])
        self.assertEqual("update", self.box.requests.read("pause-1")["changes"][0]["change"])
        self.assertEqual(["Pausing"], [entry["to"] for entry in self.box.timeline("writer", limit=1)])
        self.box.requests.clear()
        self.assertEqual([], self.box.requests.list()["requests"])

    def test_a_failed_verification_is_a_failed_assertion_that_says_why(self):
        self.box.call("pauseWorkspace", **WRITER, request_id="pause-1")
        self.assertEqual(["pause-1"], self.box.verify("pauseWorkspace", where={"status": 200})["matches"])
        self.assertEqual(1, self.box.verify(sequence=[{"operation": "pauseWorkspace"}])["count"])
        with self.assertRaises(VerificationError) as caught:
            self.box.verify("pauseWorkspace", times={"exactly": 2})
        self.assertIsInstance(caught.exception, AssertionError)
        self.assertIn("pauseWorkspace", str(caught.exception))
        with self.assertRaises(ServiceError) as caught:
            self.box.verify("pauseWorkspaces")
        self.assertNotIsInstance(caught.exception, AssertionError)

    def test_the_report_and_the_summary_show_what_is_wrong(self):
        for _ in range(2):
            with self.assertRaises(ServiceError):
                self.box.call("getWorkgroup", workgroup_id="other")
        self.assertEqual(["error-ignored"], [finding["rule"] for finding in self.box.report()["findings"]])
        self.box.fault.add({"status": 429}, operation="listWorkgroups")
        with self.assertRaises(ServiceError):
            self.box.call("listWorkgroups")
        summary = self.box.summary()
        for part in ("clock: 2027-01-01T00:00:00.000Z, frozen", "workspace writer: Active", "error-ignored: ",
                     "/workgroups/other 404: ", "429 (fault-1): ", "running-workspaces: writer"):
            self.assertIn(part, summary)

    def test_everything_else_of_the_control_api_can_be_called_too(self):
        self.box.call("pauseWorkspace", **WRITER)
        workspaces = self.box.control("GET", "/overview")["workspaces"]
        self.assertEqual(["Pausing"], [workspace["status"] for workspace in workspaces])


class CallTest(SandboxTest):
    def test_operations_that_share_a_path_are_called_by_their_own_ids(self):
        schedule = {"schedule": "0 3 * * *"}
        self.assertIsNone(self.box.call("setBackupSchedule", **WRITER, body=schedule))
        self.assertEqual("0 3 * * *", self.box.call("getBackupSchedule", **WRITER)["schedule"])
        when = {"repeat": "daily", "time": "22:00", "timezone": "Europe/Rome"}
        body = {"id": "nightly", "workspace_id": "writer", **when}
        self.assertEqual("nightly", self.box.call("updateWorkspaceSchedule", **WRITER, body=body))
        self.assertEqual("nightly", self.box.call("deleteWorkspaceSchedule", **WRITER, body={"id": "nightly"}))

    def test_a_reply_without_an_envelope_or_a_body_is_returned_as_it_is(self):
        user = self.box.call("listOrgUsers")[1]
        roles = {"roles": ["workspace-member"]}
        self.assertIsNone(self.box.call("updateOrgUserRoles", user_id=user["id"], body=roles))

    def test_a_wrong_call_says_what_would_be_right(self):
        for expected, operation, parameters in (
            ("did you mean getWorkspace?", "getWorkspce", {}),
            ("needs workgroupID and workspaceID", "getWorkspace", {}),
            ("workgroupID, workspaceID", "getWorkspace", {"workspace": "writer"}),
            ("workspace_id must be a text that is not empty, not None", "getWorkspace", {"workspace_id": None}),
            ("workspace_id must be a text that is not empty, not ''", "getWorkspace", {"workspace_id": ""}),
        ):
            with self.assertRaises((TypeError, ValueError)) as caught:
                self.box.call(operation, **parameters)
            self.assertIn(expected, str(caught.exception))


class ServerTest(unittest.TestCase):
    def test_a_server_is_started_by_its_command_and_ends_with_the_block(self):
        with Mock(command=os.environ["SVC_MOCK_COMMAND"], options=["--transitions", "instant"]) as mock:
            with mock.sandbox() as box:
                box.seed(SEED)
                box.call("pauseWorkspace", **WRITER)
                self.assertEqual("Stopped", box.call("getWorkspace", **WRITER)["status"])
        with self.assertRaises(ConnectionError):
            mock.sandbox().clock.read()
        mock.close()

    def test_a_command_may_have_quotes_and_backslashes_on_windows(self):
        node = r"C:\Program Files\node.exe"
        commands = ((f'"{node}" main.js', node), (" ", "svc-mock"), (r"C:\a\b.exe 'c d'", r"C:\a\b.exe"))
        with patch("svc_mock.os.name", "nt"), patch("svc_mock.shutil.which", return_value=None) as which:
            for command, program in commands:
                with self.assertRaisesRegex(StartError, "SVC_MOCK_COMMAND"):
                    Mock(command=command)
                which.assert_called_with(program)

    def test_a_quote_without_an_end_is_refused(self):
        for text in ("svc-mock 'a", "svc-mock \\"):
            with self.assertRaisesRegex(ValueError, "SVC_MOCK_COMMAND.*: No "):
                Mock(command=text)

    def test_a_server_that_does_not_start_says_why(self):
        with self.assertRaises(StartError) as caught:
            Mock(command=os.environ["SVC_MOCK_COMMAND"], options=["--prot", "1"])
        self.assertIn("--prot", str(caught.exception))
        with self.assertRaises(StartError) as caught:
            Mock(command="svc-mock-that-is-not-there")
        self.assertIn("SVC_MOCK_COMMAND", str(caught.exception))
        with self.assertRaises(StartError) as caught:
            Mock(command=[sys.executable, "-c", "raise SystemExit(3)"])
        self.assertIn("it exited with code 3 and said nothing", str(caught.exception))
        with self.assertRaises(StartError) as caught:
            Mock(command=[sys.executable, "-c", "raise SystemExit('the reason\\nmore')"])
        self.assertIn("said the reason\nmore", str(caught.exception))

    def test_a_path_in_the_url_is_kept(self):
        url = os.environ["SVC_MOCK_URL"]
        self.assertEqual(url, Mock(f"{url}/").url)
        with self.assertRaisesRegex(ServiceError, "GET /path/_mock/clock. There is one at /_mock/clock"):
            Mock(f"{url}/path/").sandbox().clock.read()
        for end in ("?a=1", "#a"):
            with self.assertRaises(ValueError):
                Mock(url + end)

    def test_a_server_is_found_even_if_its_log_should_be_silent(self):
        for options in (["--log-level", "silent"], "--log-level silent"):
            with Mock(command=os.environ["SVC_MOCK_COMMAND"], options=options) as mock:
                self.assertEqual("real", mock.sandbox().clock.read()["mode"])

    def test_an_error_without_an_envelope_shows_the_reply(self):
        profile = "profile: 1\nreplies: { error: { error: '{{message}}' } }\n"
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(profile)
            file.flush()
            with Mock(command=os.environ["SVC_MOCK_COMMAND"], options=["--profile", file.name]) as mock:
                with self.assertRaisesRegex(ServiceError, "404 Unknown: .*There is no workgroup x"):
                    mock.sandbox().call("getWorkgroup", workgroup_id="x")

    def test_a_running_server_takes_no_options_and_no_command(self):
        for given in ({"options": ["--demo"]}, {"command": "svc-mock"}):
            with self.assertRaisesRegex(ValueError, "for a new server, but the URL names a running one"):
                Mock("http://127.0.0.1:1", **given)
        with self.assertWarnsRegex(UserWarning, "SVC_MOCK_URL.*options"):
            Mock(options=["--demo"])

    def test_a_block_that_fails_shows_its_own_error(self):
        with self.assertRaises(ConnectionError) as caught:
            with Mock("http://127.0.0.1:1").sandbox() as box:
                box.seed(SEED)
        self.assertIn("PUT /_mock/seed", str(caught.exception))
        with self.assertRaises(ConnectionError):
            with Mock("http://127.0.0.1:1").sandbox():
                pass

    def test_the_token_is_sent_and_without_it_the_control_api_refuses(self):
        with Mock().sandbox() as box:
            self.assertEqual("real", box.clock.read()["mode"])
            self.assertEqual(box.mock.url, box.url)
        with self.assertRaises(ServiceError) as caught:
            Mock(token="wrong").sandbox().clock.read()
        self.assertEqual(403, caught.exception.status)

    def test_nothing_shows_a_key_or_a_token(self):
        mock = Mock(token="hunter2")
        box = mock.sandbox("s3cret")
        self.assertEqual({"x-api-key", "x-mock-token"}, set(box.headers))
        self.assertEqual("s3cret", box.headers["x-api-key"])
        shown = [repr(mock), repr(box), str(box.headers), f"{box.headers!r}"]
        for step in (
            box.clock.read,
            lambda: mock.sandbox("s3cret\n"),
            lambda: mock.sandbox(5),
            lambda: Mock(token="hunter2\n"),
            lambda: Mock("http://s3cret:hunter2@127.0.0.1:1"),
            Mock("http://127.0.0.1:1", "hunter2").sandbox("s3cret").clock.read,
        ):
            with self.assertRaises((ServiceError, ConnectionError, ValueError)) as caught:
                step()
            shown += [str(caught.exception), repr(caught.exception)]
        for text in shown:
            self.assertNotIn("s3cret", text)
            self.assertNotIn("hunter2", text)


if __name__ == "__main__":
    unittest.main()
