"""The parts of a careful client in Python. The clients of this folder use them, each with at most one mistake."""
import json
import os
import sys
import time
import urllib.error
import urllib.request

BASE = os.environ['SVC_MOCK_URL'] + '/controller/v4/v2'
KEY = os.environ['SVC_MOCK_KEY']
TRIES = 5


class Refused(Exception):
    def __init__(self, status, retry_after):
        super().__init__(f'refused with {status}')
        self.status = status
        self.retry_after = retry_after


def once(method, path, body=None):
    """Sends one request."""
    data = None if body is None else json.dumps(body).encode()
    headers = {'x-api-key': KEY, 'content-type': 'application/json'}
    try:
        with urllib.request.urlopen(urllib.request.Request(BASE + path, data, headers, method=method), timeout=3) as reply:
            answer = json.loads(reply.read())
    except urllib.error.HTTPError as error:
        raise Refused(error.code, error.headers.get('retry-after')) from None
    if answer['Error']:
        raise Refused(200, None)
    return answer['Result']


def is_temporary(error):
    return not isinstance(error, Refused) or error.status == 429 or error.status >= 500


def pause(error, tries):
    after = getattr(error, 'retry_after', None)
    time.sleep(float(after) if after is not None else 0.1 * 2 ** tries)


def patiently(step):
    """Tries a step up to five times."""
    for tries in range(TRIES):
        try:
            return step()
        except Exception as error:  # the transport has many kinds of them
            if tries == TRIES - 1 or not is_temporary(error):
                raise
            pause(error, tries)


def get(path):
    return patiently(lambda: once('GET', path))


def put(path, body=None):
    return patiently(lambda: once('PUT', path, body))


def remove(path, body=None):
    def step():
        try:
            once('DELETE', path, body)
        except Refused as error:
            if error.status != 404:
                raise
    patiently(step)


def ensure(find, create):
    """Creates something unless it exists, and looks again before each attempt."""
    return patiently(lambda: find() or create())


def named(items, name):
    return next((item for item in items if item['name'] == name), None)


def find_group(name):
    return named(get('/workgroups'), name)


def create_group(name):
    return once('POST', '/workgroups', {'name': name, 'cloud_provider_id': 'account'})


def ensure_group(name):
    return ensure(lambda: find_group(name), lambda: create_group(name))['workgroup_id']


def find_workspace(group, name):
    return named(get(f'/workgroups/{group}')['workspaces'], name)


def create_workspace(group, name):
    return once('POST', f'/workgroups/{group}/workspaces', {'name': name})


def ensure_workspace(group, name):
    return ensure(lambda: find_workspace(group, name), lambda: create_workspace(group, name))['workspace_id']


def make_workspace(group, name):
    """Creates a workspace, and looks for it only before a retry."""
    tries = []

    def step():
        tries.append(1)
        return (len(tries) > 1 and find_workspace(group, name)) or create_workspace(group, name)
    return patiently(step)['workspace_id']


def wait_for(group, workspace, wanted):
    for _ in range(100):
        status = get(f'/workgroups/{group}/workspaces/{workspace}')['status']
        if status == wanted:
            return
        if status == 'Failed':
            raise Exception('the workspace has failed')
        time.sleep(0.05)
    raise Exception(f'the workspace does not become {wanted}')


def active_or_gone(group, workspace):
    """Waits until a workspace is Active, and removes it if it does not become Active."""
    try:
        wait_for(group, workspace, 'Active')
    except Exception:
        remove_workspace(group, workspace)
        raise


def remove_workspace(group, workspace):
    path = f'/workgroups/{group}/workspaces/{workspace}'
    remove(path)
    for _ in range(100):
        try:
            if get(path)['status'] == 'Failed':
                remove(path)
        except Refused as error:
            if error.status == 404:
                return
            raise
        time.sleep(0.05)
    raise Exception('the workspace stays')


def remove_group(group):
    try:
        found = get(f'/workgroups/{group}')
    except Refused as error:
        if error.status == 404:
            return
        raise
    for workspace in found['workspaces']:
        remove_workspace(group, workspace['workspace_id'])
    for database in found.get('svc_databases') or []:
        remove(f"/workgroups/{group}/databases/{database['database_id']}")
    remove(f'/workgroups/{group}')


def main(work):
    try:
        work()
    except Exception as error:
        print(error, file=sys.stderr)
        sys.exit(1)
