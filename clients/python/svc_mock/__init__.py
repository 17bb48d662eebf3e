"""Controls svc-mock from tests in Python 3.9 or newer, without dependencies. See ../README.md.

    with Mock() as mock, mock.sandbox() as box:
        box.seed({"clock": {"mode": "frozen"}, "workgroups": [{"id": "main", "workspaces": [{"id": "writer"}]}]})
        box.call("pauseWorkspace", workgroup_id="main", workspace_id="writer")
        box.clock.advance(until="idle")
        assert box.call("getWorkspace", workgroup_id="main", workspace_id="writer")["status"] == "Stopped"

The methods of a sandbox are those that docs/test-control.md lists for Node. Each returns the `Result` of its call or,
where that has a single field, the value of the field. As a plugin of pytest, it has the fixtures `svc_mock` and
`svc_mock_sandbox`. PYTEST_DONT_REWRITE: a conftest.py may import it before it names it as a plugin.
"""
from __future__ import annotations

import contextlib
import difflib
import http.client
import json
import os
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
import warnings
import weakref
from datetime import datetime, timedelta, timezone
from typing import IO, Any, Callable, Dict, Generator, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence
from typing import Tuple, Union
from urllib.parse import quote, urlencode, urlsplit

__all__ = ["Mock", "Sandbox", "ServiceError", "StartError", "VerificationError"]

Json = Dict[str, Any]
Items = List[Json]
Duration = Union[str, timedelta]
Timestamp = Union[str, datetime]
Words = Union[str, Sequence[str]]

START_SECONDS, STOP_SECONDS = 30, 10


class ServiceError(Exception):
    """An error reply. Each of its `details` has a `FieldName`, a `Reason` and a `Type`."""

    def __init__(self, status: int, type: str, message: str, details: Items, request_id: Optional[str]) -> None:
        super().__init__(status, type, message, details, request_id)
        self.status, self.type, self.message, self.details, self.request_id = self.args

    def __str__(self) -> str:
        return f"{self.status} {self.type}: {self.message}"


class VerificationError(ServiceError, AssertionError):
    """The interface was not called as expected. Test runners count it as a failure, not as an error."""


class StartError(RuntimeError):
    """The server could not be started."""


class _Calls:
    """Methods that make calls of the control API with `box.control`."""

    def __init__(self, box: Sandbox) -> None:
        self.control: Callable[..., Any] = box.control


# Made from the calls by test/python-client.ts. Do not edit it: `npm run docs` updates it.


class _SandboxCalls(_Calls):
    """The calls that a sandbox makes."""

    def events(self) -> Items:
        """List the scheduled events. Returns them, in order."""
        __tracebackhide__ = True
        return self.control("GET", "/events")

    def timeline(self, workspace_id: Optional[str] = None, limit: Optional[int] = None) -> Items:
        """List the state changes.

        Returns the changes in order: all, or those of a workspace, a backup or a restore job.
        """
        __tracebackhide__ = True
        return self.control("GET", "/timeline", workspace_id=workspace_id, limit=limit)

    def profile(self) -> Json:
        """Read the profile in force. Returns all of it, also the parts that are built in."""
        __tracebackhide__ = True
        return self.control("GET", "/profile")

    def assumptions(self) -> Items:
        """List the built-in assumptions about the service.

        Returns all of them, also those that the profile replaces.
        """
        __tracebackhide__ = True
        return self.control("GET", "/assumptions")

    def verify(self, operation: Optional[str] = None, where: Optional[Json] = None, times: Optional[Json] = None,
            sequence: Optional[Iterable[Any]] = None) -> Json:
        """Check that the interface was called as expected."""
        __tracebackhide__ = True
        return self.control("POST", "/requests/verify", _given({"operation": operation, "where": where, "times": times,
            "sequence": _sent(sequence)}))

    def report(self) -> Json:
        """Review the requests of the client. Returns findings, and what the client has left behind."""
        __tracebackhide__ = True
        return self.control("GET", "/report")

    def backup(self, workspace_id: str, tag: Optional[str] = None) -> Json:
        """Start a manual backup."""
        __tracebackhide__ = True
        return self.control("POST", f"/workspaces/{_segment('workspace_id', workspace_id)}/backups",
            _given({"tag": tag}))

    def activity(self, workspace_id: str) -> str:
        """Simulate data-plane activity. Returns the new state."""
        __tracebackhide__ = True
        return self.control("POST", f"/workspaces/{_segment('workspace_id', workspace_id)}/activity")["status"]

    def seed(self, document: Json) -> None:
        """Import a document, and make it the baseline that a reset returns to."""
        __tracebackhide__ = True
        self.control("PUT", "/seed", document)

    def reset(self, keep: Optional[Iterable[Any]] = None) -> None:
        """Return the sandbox to its baseline."""
        __tracebackhide__ = True
        self.control("POST", "/reset", _given({"keep": _sent(keep)}))


class _ClockCalls(_Calls):
    """The clock of a sandbox. A move ends once all events due on the way have run."""

    def read(self) -> Json:
        """Read the clock."""
        __tracebackhide__ = True
        return self.control("GET", "/clock")

    def set(self, mode: Optional[str] = None, now: Optional[Timestamp] = None, rate: Optional[float] = None,
            patience: Optional[Duration] = None) -> Json:
        """Set the clock, and run everything due by then."""
        __tracebackhide__ = True
        return self.control("PUT", "/clock", _given({"mode": mode, "now": _sent(now), "rate": rate,
            "patience": _sent(patience)}))

    def advance(self, by: Optional[Duration] = None, to: Optional[Timestamp] = None, until: Any = None,
            max: Optional[Duration] = None) -> Json:
        """Move the clock forward, and run everything due on the way."""
        __tracebackhide__ = True
        return self.control("POST", "/clock/advance", _given({"by": _sent(by), "to": _sent(to), "until": until,
            "max": _sent(max)}))


class Transitions(_Calls):
    """How the transitions of a sandbox end."""

    def read(self) -> Items:
        """List the rules, and the transitions they can apply to. Returns the rules, in order."""
        __tracebackhide__ = True
        return self.control("GET", "/transitions")["rules"]

    def replace(self, rules: Items) -> Items:
        """Replace the rules."""
        __tracebackhide__ = True
        return self.control("PUT", "/transitions", {"rules": rules})["rules"]

    def release(self, transition: Optional[str] = None, resource_id: Optional[str] = None) -> Items:
        """Release held transitions. Returns the events that fired."""
        __tracebackhide__ = True
        return self.control("POST", "/transitions/release", _given({"transition": transition,
            "resource_id": resource_id}))["fired"]


class State(_Calls):
    """A sandbox as one document."""

    def read(self) -> Json:
        """Export the sandbox as one document."""
        __tracebackhide__ = True
        return self.control("GET", "/state")

    def replace(self, document: Json) -> None:
        """Import a document, replacing the sandbox."""
        __tracebackhide__ = True
        self.control("PUT", "/state", document)


class Snapshot(_Calls):
    """Named snapshots of a sandbox."""

    def list(self) -> Items:
        """List the snapshots. Returns them by name."""
        __tracebackhide__ = True
        return self.control("GET", "/snapshots")

    def save(self, name: str) -> Json:
        """Save a snapshot; one of the same name is replaced."""
        __tracebackhide__ = True
        return self.control("PUT", f"/snapshots/{_segment('name', name)}")

    def restore(self, name: str) -> None:
        """Restore a snapshot."""
        __tracebackhide__ = True
        self.control("POST", f"/snapshots/{_segment('name', name)}/restore")

    def delete(self, name: str) -> None:
        """Delete a snapshot."""
        __tracebackhide__ = True
        self.control("DELETE", f"/snapshots/{_segment('name', name)}")


class Fault(_Calls):
    """Faults injected into requests."""

    def add(self, effect: Json, operation: Optional[str] = None, workspace_id: Optional[str] = None,
            workgroup_id: Optional[str] = None, body: Any = None, after: Optional[int] = None,
            times: Optional[int] = None, probability: Optional[float] = None, phase: Optional[str] = None) -> Json:
        """Add a fault."""
        __tracebackhide__ = True
        return self.control("POST", "/faults", _given({"effect": effect, "operation": operation,
            "workspace_id": workspace_id, "workgroup_id": workgroup_id, "body": body, "after": after, "times": times,
            "probability": probability, "phase": phase}))

    def list(self) -> Items:
        """List the faults, and how often each has fired."""
        __tracebackhide__ = True
        return self.control("GET", "/faults")

    def clear(self) -> int:
        """Remove all faults. Returns how many there were."""
        __tracebackhide__ = True
        return self.control("DELETE", "/faults")["removed"]

    def remove(self, id: str) -> int:
        """Remove a fault. Returns how many: one."""
        __tracebackhide__ = True
        return self.control("DELETE", f"/faults/{_segment('id', id)}")["removed"]


class Requests(_Calls):
    """The recorded requests."""

    def list(self, operation: Optional[str] = None, status: Optional[str] = None, request_id: Optional[str] = None,
            trace: Optional[str] = None, since: Optional[Timestamp] = None, limit: Optional[int] = None) -> Json:
        """List the recorded requests. Returns them, oldest first: all, or those that a filter selects."""
        __tracebackhide__ = True
        return self.control("GET", "/requests", operation=operation, status=status, request_id=request_id, trace=trace,
            since=_sent(since), limit=limit)

    def clear(self) -> None:
        """Clear the journal."""
        __tracebackhide__ = True
        self.control("DELETE", "/requests")

    def read(self, request_id: str) -> Json:
        """Read the record of a request. Returns what the request changed and caused."""
        __tracebackhide__ = True
        return self.control("GET", f"/requests/{_segment('request_id', request_id)}")


class Quotas(_Calls):
    """The quotas of a sandbox: maximum numbers. A quota without one has no limit."""

    def read(self) -> Json:
        """Read the quotas."""
        __tracebackhide__ = True
        return self.control("GET", "/quotas")

    def set(self, **fields: Any) -> Json:
        """Set quotas."""
        __tracebackhide__ = True
        return self.control("PUT", "/quotas", fields)


class _CoverageCalls(_Calls):
    """Coverage of the interface so far."""

    def read(self) -> Json:
        """Read the coverage of the interface. Returns how often each item was exercised."""
        __tracebackhide__ = True
        return self.control("GET", "/coverage")

    def clear(self) -> None:
        """Reset the coverage."""
        __tracebackhide__ = True
        self.control("DELETE", "/coverage")


class _SandboxesCalls(_Calls):
    """All sandboxes of a server that has a token."""

    def list(self, after: Optional[int] = None, limit: Optional[int] = None) -> Json:
        """List the sandboxes of the server. Returns a page of them, in order of creation."""
        __tracebackhide__ = True
        return self.control("GET", "/sandboxes", after=after, limit=limit)

    def purge(self, idle: Duration) -> int:
        """Remove unused sandboxes. Returns how many were removed."""
        __tracebackhide__ = True
        return self.control("POST", "/sandboxes/purge", _given({"idle": _sent(idle)}))["removed"]


# The end of what is made from the calls.


class Mock:
    """A server: the one at `url`, by default SVC_MOCK_URL; if there is neither, or a `command`, a new one.

    A new server keeps everything in memory, listens on a free port, and ends with `close()`, the `with` block or the
    program. `command` runs svc-mock, by default SVC_MOCK_COMMAND or `svc-mock`; `options` are those of `serve`. `token`
    is the one of --control-token, by default SVC_MOCK_TOKEN. A call that gets no reply in `timeout` seconds fails.
    """

    def __init__(self, url: Optional[str] = None, token: Optional[str] = None, *, options: Words = (),
                 command: Optional[Words] = None, timeout: float = 60) -> None:
        __tracebackhide__ = True
        variable = os.environ.get
        self._token = _visible("token", token or variable("SVC_MOCK_TOKEN") or None)
        self._timeout = timeout
        self._operations: Dict[str, _Operation] = {}
        self._stop: Callable[[], Any] = lambda: None
        self.sandboxes = Sandboxes(self)
        running = url or (None if command else variable("SVC_MOCK_URL"))
        if url and (options or command):
            raise ValueError("options and a command are for a new server, but the URL names a running one")
        if running:
            if options:
                warnings.warn("SVC_MOCK_URL names a running server, which ignores the options given here", stacklevel=2)
            self.url = _address(running)
        else:
            self._token = self._token or variable("SVC_MOCK_CONTROL_TOKEN") or None
            self.url = _address(self._start(command or variable("SVC_MOCK_COMMAND", ""), options))

    def __repr__(self) -> str:
        return f"<Mock at {self.url}>"

    def __enter__(self) -> Mock:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the server, if this object has started it."""
        self._stop()

    def sandbox(self, key: Optional[str] = None) -> Sandbox:
        """Returns the sandbox of a key; without a key, a new one."""
        __tracebackhide__ = True
        return Sandbox(self, secrets.token_hex(16) if key is None else key)

    def request(self, method: str, path: str, body: Any = None, headers: Optional[Mapping[str, str]] = None) -> Any:
        """Makes a call. Returns the `Result` of the reply, or all of it if it has no envelope.

        Raises ServiceError for an error reply, and ConnectionError without a reply.
        """
        __tracebackhide__ = True
        data = None if body is None else json.dumps(body).encode()
        own = {} if data is None else {"Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, data, {**own, **(headers or {})}, method=method)
        try:
            with _OPENER.open(request, timeout=self._timeout) as reply:
                status, text = reply.status, reply.read()
        except (OSError, http.client.HTTPException) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            raise ConnectionError(f"{method} {path} at {self.url} got no reply ({reason})") from None
        shown = text.decode(errors="replace")
        content = _parsed(shown)
        envelope = content if isinstance(content, dict) else {}
        if status >= 400 or envelope.get("Error") is True:
            details = envelope.get("ErrorDetails") or [{}]
            kind, message = details[0].get("Type", "Unknown"), envelope.get("Message", shown or "the reply is empty")
            raise ServiceError(status, kind, message, details, envelope.get("RequestID"))
        return envelope.get("Result") if "RequestID" in envelope else content

    def operation(self, operation_id: str) -> _Operation:
        """An operation, as the server's `/openapi.json` describes it. Raises ValueError if it does not exist."""
        self._operations = self._operations or dict(_operations(self.request("GET", "/openapi.json")))
        if operation_id not in self._operations:
            near = difflib.get_close_matches(operation_id, self._operations, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise ValueError(f"there is no operation {operation_id}{hint}")
        return self._operations[operation_id]

    def _start(self, command: Words, options: Words) -> str:
        __tracebackhide__ = True
        words = _words(command) or ["svc-mock"]
        program = shutil.which(words[0])
        if program is None:
            raise StartError(f"there is no program {words[0]}: install svc-mock, give its command in SVC_MOCK_COMMAND, "
                             "or name a running server in SVC_MOCK_URL")
        # The server refuses variables of its prefix that it does not know.
        own = {f"SVC_MOCK_{name}" for name in ("URL", "TOKEN", "KEY", "COMMAND")}
        environment = {name: value for name, value in os.environ.items() if name not in own}
        if self._token is not None:
            environment["SVC_MOCK_CONTROL_TOKEN"] = self._token
        # The last one counts: options may replace the first two, but the log must say where the server listens.
        arguments = ["serve", "--port", "0", "--db", ":memory:", *_words(options), "--log-level", "warn"]
        process = subprocess.Popen(
            [program, *words[1:], *arguments], env=environment, start_new_session=True, encoding="utf-8",
            errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self._stop = weakref.finalize(self, _end, process)
        assert process.stdout is not None
        late = threading.Event()

        def give_up() -> None:
            late.set()
            _signal(process, True)

        guard = threading.Timer(START_SECONDS, give_up)
        guard.daemon = True
        guard.start()
        said = ""
        for line in process.stdout:
            entry = _parsed(line)
            if isinstance(entry, dict) and "url" in entry:
                guard.cancel()
                # The server drops lines of its log that nobody reads.
                threading.Thread(target=_drain, args=(process.stdout,), daemon=True).start()
                return str(entry["url"])
            said += line
        guard.cancel()
        process.stdout.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
        self.close()
        how = f"was not ready after {START_SECONDS} s" if late.is_set() else f"exited with code {process.returncode}"
        raise StartError(f"{words[0]} did not start: it {how} and said {said.strip() or 'nothing'}")


class Sandbox(_SandboxCalls):
    """A sandbox, as a test controls it. Its `with` block ends by removing it, with everything in it."""

    def __init__(self, mock: Mock, key: str) -> None:
        __tracebackhide__ = True
        self.mock, self.url, self.key = mock, mock.url, _visible("key", key)
        self.headers: Dict[str, str] = _Headers(_given({"x-api-key": key, "x-mock-token": mock._token}))
        self.clock, self.state, self.snapshot = Clock(self), State(self), Snapshot(self)
        self.transitions, self.fault, self.quotas = Transitions(self), Fault(self), Quotas(self)
        self.requests, self.coverage = Requests(self), Coverage(self)

    def __repr__(self) -> str:
        return f"<Sandbox at {self.url}>"

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self.remove()
        except (ServiceError, ConnectionError):
            # The error in the block is more important.
            if kind is None:
                raise

    def call(self, operation_id: str, *, body: Any = None, request_id: Optional[str] = None, **parameters: Any) -> Any:
        """Calls an operation: `call("getWorkspace", workgroup_id="main", workspace_id="writer")`.

        The names of parameters in path and query are those of `/openapi.json`; `workgroup_id` is `workgroupID`.
        """
        __tracebackhide__ = True
        method, path, known, chosen = self.mock.operation(operation_id)
        query: Json = dict(chosen)
        for given, value in parameters.items():
            name, place = known.get(_plain(given), ("", ""))
            if place == "path":
                path = path.replace("{" + name + "}", _segment(given, value))
            elif place == "query":
                query[name] = value
            else:
                names = ", ".join(name for name, _ in known.values()) or "none"
                raise TypeError(f"{operation_id} has no parameter {given}; its parameters: {names}")
        missing = re.findall(r"{(\w+)}", path)
        if missing:
            raise TypeError(f"{operation_id} needs {' and '.join(missing)}")
        # Some operations accept only a session. The same text names the same sandbox, as a key and as a session.
        own = {"Authorization": f"Bearer {self.key}", "X-Request-Id": request_id}
        return self.mock.request(method, _with_query(path, query), body, _Headers({**self.headers, **_given(own)}))

    def control(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Makes a call of the control API that has no method: `control("GET", "/overview")`."""
        __tracebackhide__ = True
        return self.mock.request(method, _with_query(f"/_mock{path}", query), body, self.headers)

    def verify(self, operation: Optional[str] = None, where: Optional[Json] = None, times: Optional[Json] = None,
               sequence: Optional[Iterable[Any]] = None) -> Json:
        """Checks that the interface was called as `where` and `times`, or `sequence`, say."""
        __tracebackhide__ = True
        try:
            return super().verify(operation, where, times, sequence)
        except ServiceError as error:
            # If the expectation itself is wrong, the error names its fields.
            if error.status != 400 or any(detail.get("FieldName") for detail in error.details):
                raise
            raise VerificationError(*error.args) from None

    def fork(self, snapshot: str = "baseline", ttl: Optional[Duration] = None) -> Sandbox:
        """Creates a sandbox from a snapshot of this one, or from its baseline."""
        __tracebackhide__ = True
        fork = self.control("POST", "/sandboxes", _given({"from": snapshot, "ttl": _sent(ttl)}))
        return Sandbox(self.mock, fork["key"])

    def remove(self) -> None:
        """Removes the sandbox with everything in it. A fork may be gone already."""
        try:
            self.control("DELETE", "/sandboxes")
        except ServiceError as error:
            # A fork that was removed, or has expired, takes its key with it.
            if error.status != 401 or not self.key.startswith("fork_"):
                raise

    def summary(self, limit: int = 20) -> str:
        """The clock, workspaces, newest requests and report, a line each, to be shown with a failed test."""
        requests = self.requests.list(limit=limit)["requests"]
        workspaces = self.control("GET", "/overview")["workspaces"]
        clock, report = self.clock.read(), self.report()
        lines = [f"clock: {clock['now']}, {clock['mode']}"]
        lines += [f"workspace {one['workspace_id']}: {one['status']}" for one in workspaces[:limit]]
        lines += [f"workspaces: {len(workspaces)}"] if len(workspaces) > limit else []
        for one in requests:
            fault = f" ({one['fault']['id']})" if one["fault"] else ""
            error = f": {one['error']}" if one["error"] else ""
            lines.append(f"{one['at']} {one['method']} {one['path']} {one['status']}{fault}{error}")
        lines += _findings(report)
        lines += [f"{one['kind']}: {', '.join(one['ids'][:limit])}" for one in report["left_behind"]]
        return "\n".join(lines)


class Clock(_ClockCalls):
    """The clock of a sandbox. A move returns when everything due on the way has run."""

    def freeze(self, now: Optional[Timestamp] = None) -> Json:
        """Stops the clock, at `now` if it is given."""
        return self.set("frozen", now)

    def resume(self) -> Json:
        """Runs in real time again."""
        return self.set("real")


class Coverage(_CoverageCalls):
    """How much of the interface was exercised."""

    def junit(self) -> str:
        """The same as JUnit XML."""
        return self.control("GET", "/coverage", format="junit")


class Sandboxes(_SandboxesCalls):
    """All sandboxes of a server that has a token."""

    def __init__(self, mock: Mock) -> None:
        # A reference back would keep the server from ending with its last user.
        self._mock = weakref.proxy(mock)

    def control(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Makes a call about all sandboxes."""
        __tracebackhide__ = True
        headers = _Headers(_given({"x-mock-token": self._mock._token}))
        return self._mock.request(method, _with_query(f"/_mock{path}", query), body, headers)


class _Operation(NamedTuple):
    """How to call an operation: parameters by plain name, each with its own name and its place."""

    method: str
    path: str
    parameters: Dict[str, Tuple[str, str]]
    query: Dict[str, str]


class _Headers(Dict[str, str]):
    """Headers that do not show their values."""

    def __repr__(self) -> str:
        return repr(dict.fromkeys(self, "***"))

    __str__ = __repr__


class _EveryStatus(urllib.request.HTTPErrorProcessor):
    """Returns every reply, errors included."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


# Without a proxy, even if the environment names one.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), _EveryStatus)


def _operations(document: Json) -> Iterator[Tuple[str, _Operation]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            parameters = operation.get("parameters", [])
            known = {_plain(one["name"]): (one["name"], one["in"]) for one in parameters}
            yield operation["operationId"], _Operation(method.upper(), path, known, {})
            # A document has one operation for each method and path. If several share them, this parameter chooses.
            choices = [one["schema"]["enum"] for one in parameters if one["name"] == "operation"]
            for choice in sum(choices, []):
                name = re.sub(r"_(\w)", lambda match: match[1].upper(), choice)
                yield name, _Operation(method.upper(), path, known, {"operation": choice})


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _segment(name: str, value: Any) -> str:
    __tracebackhide__ = True
    if not isinstance(value, str) or not value:
        raise TypeError(f"{name} must be a text that is not empty, not {value!r}")
    return quote(value, safe="")


def _given(fields: Json) -> Json:
    return {name: value for name, value in fields.items() if value is not None}


def _with_query(path: str, query: Json) -> str:
    text = urlencode(_given(query))
    return f"{path}?{text}" if text else path


def _sent(value: Any) -> Any:
    """Durations and times as the server reads them, and lists; everything else as it is."""
    __tracebackhide__ = True
    if isinstance(value, timedelta):
        return f"PT{value.total_seconds():.3f}S"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} needs a time zone, such as tzinfo=datetime.timezone.utc")
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds")
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else value


def _visible(name: str, value: Any) -> Any:
    __tracebackhide__ = True
    # http.client would also refuse it, but show it.
    if value is not None and not (isinstance(value, str) and re.fullmatch(r"[!-~]+", value)):
        raise ValueError(f"a {name} must be a text of visible ASCII characters")
    return value


def _words(command: Words) -> List[str]:
    if not isinstance(command, str):
        return list(command)
    # On Windows, a backslash is part of a path.
    text = command if os.name != "nt" else command.replace("\\", "\\\\")
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ValueError(f"the command (SVC_MOCK_COMMAND) or the options cannot be split: {error}") from None


def _address(url: str) -> str:
    __tracebackhide__ = True
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search("[@?#]", url):
        raise ValueError("the URL of a server must look like http://127.0.0.1:4700, without a user, a query or a "
                         "fragment")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _parsed(text: str) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text


def _findings(report: Json) -> List[str]:
    return [f"{one['rule']}: {one['message']}" for one in report["findings"]]


def _drain(log: IO[str]) -> None:
    with log:
        for _ in log:
            pass


def _signal(process: subprocess.Popen[str], is_last: bool) -> None:
    with contextlib.suppress(OSError):
        if os.name == "nt":
            process.terminate()
        else:
            # The group, because a program such as npx may have started the server.
            os.killpg(process.pid, signal.SIGKILL if is_last else signal.SIGTERM)


def _end(process: subprocess.Popen[str]) -> None:
    for is_last in (False, True):
        if process.poll() is None:
            _signal(process, is_last)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)


# As a plugin, this file is loaded by pytest; other programs do not need it.
if "pytest" in sys.modules:
    import pytest

    @pytest.fixture(scope="session")
    def svc_mock() -> Iterator[Mock]:
        """The server at SVC_MOCK_URL; without that, a new one that ends with the session."""
        with Mock() as mock:
            yield mock

    @pytest.fixture
    def svc_mock_sandbox(svc_mock: Mock, request: Any) -> Iterator[Sandbox]:
        """A new sandbox, removed after the test. If the test fails, its report shows the sandbox."""
        with svc_mock.sandbox() as box:
            request.node.svc_mock_sandbox = box
            yield box

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(item: Any) -> Generator[None, Any, None]:
        report = (yield).get_result()
        box = getattr(item, "svc_mock_sandbox", None)
        if box is None or report.when == "teardown":
            return
        try:
            if report.failed:
                report.sections.append(("svc-mock sandbox", box.summary()))
            elif report.when == "call" and (found := _findings(box.report())):
                report.sections.append((_FINDINGS, "\n".join(found)))
        except (ServiceError, ConnectionError) as error:
            report.sections.append(("svc-mock sandbox", f"cannot be read: {error}"))

    _FINDINGS = "svc-mock findings"

    def pytest_terminal_summary(terminalreporter: Any) -> None:
        """Lists the findings of tests that did not fail. With xdist, the reports bring them from its processes."""
        found: Dict[str, List[str]] = {}
        for report in (report for reports in terminalreporter.stats.values() for report in reports):
            for text in (text for title, text in getattr(report, "sections", ()) if title == _FINDINGS):
                for line in text.splitlines():
                    found.setdefault(line, []).append(report.nodeid)
        if found:
            terminalreporter.section(_FINDINGS)
        for line, (test, *others) in found.items():
            terminalreporter.line(f"{line} ({test}{f' and {len(others)} more' if others else ''})")
