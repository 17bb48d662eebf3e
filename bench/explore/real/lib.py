"""Lets clients of other services talk to svc-mock: paths and bodies are translated around the call of requests."""

import json as texts
import os
import re
import sys
from urllib.parse import urlsplit

import requests

GROUP = os.environ["SVC_MOCK_URL"] + "/controller/v4/v2/workgroups/main"
HEADERS = {"x-api-key": os.environ["SVC_MOCK_KEY"]}

_request = requests.Session.request


def adapt(routes, to_error):
    """Each route: their method and path, our method and path, how their body is ours, how our result is theirs."""

    def request(session, method, url, params=None, data=None, json=None, timeout=None, **_):
        path = urlsplit(url).path
        for theirs, pattern, ours, template, to_body, to_result in routes:
            found = re.fullmatch(pattern, path)
            if theirs == method.upper() and found:
                break
        else:
            raise LookupError(f"the adaptor does not know {method} {path}")
        body = json if json is not None else texts.loads(data) if isinstance(data, (str, bytes)) and data else None
        address = GROUP + found.expand(template)
        response = _request(
            session, ours, address, headers=HEADERS, json=body and to_body(body), timeout=timeout, allow_redirects=False
        )
        return _translated(response, to_result, to_error)

    requests.Session.request = request


def _translated(response, to_result, to_error):
    try:
        envelope = response.json()
    except ValueError:
        return response
    if envelope["Error"] and response.ok:
        response.status_code = 500
    answer = to_result(envelope["Result"]) if response.ok else to_error(response.status_code, envelope["Message"])
    if answer is None:
        response.status_code = 204
    response._content = b"" if answer is None else texts.dumps(answer).encode()
    return response


def named(body):
    return {"name": body["name"]}


def renamed(body):
    return {"workspace_name": body["name"]}


def main(program):
    """Runs a program; a failure is one line and status 1."""
    try:
        program()
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(1)
