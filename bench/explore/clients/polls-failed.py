# Waits for ever.
# Mistake: hang createWorkspace
import kit

import time


def work():
    group = kit.ensure_group('main')
    workspace = kit.ensure_workspace(group, 'writer')
    while kit.get(f'/workgroups/{group}/workspaces/{workspace}')['status'] != 'Active':
        time.sleep(0.02)


kit.main(work)
