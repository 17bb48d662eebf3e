# Ends its polling at a 5xx.
# Class: one bad poll ends the wait
# Report: dwavesystems/dwave-cloud-client#324
# Client: dwave-cloud-client, before the change
# Mistake: forgotten
import time

import kit


def work():
    #- workspace = kit.make_workspace('main', 'writer')
    #+ workspace = kit.ensure_workspace('main', 'writer')
    path = f'/workgroups/main/workspaces/{workspace}'
    for _ in range(60):
        #- status = kit.once('GET', path)['status']
        #+ status = kit.get(path)['status']
        if status == 'Active':
            return
        if status == 'Failed':
            break
        time.sleep(0.1)
    kit.remove_workspace('main', workspace)
    raise Exception('the workspace does not become Active')


kit.main(work)
