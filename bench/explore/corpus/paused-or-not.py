# Waits for the end of a pause that failed.
# Class: waiting for the wrong thing
# Report: cloudify-cosmo/cloudify-manager-install#846
# Mistake: hang or false-success
import time

import kit


def work():
    old = kit.find_workspace('main', 'old')
    path = f"/workgroups/main/workspaces/{old['workspace_id']}"

    def pause():
        if kit.get(path)['status'] == 'Active':
            kit.once('POST', path + '/pause')
    kit.patiently(pause)
    #- while kit.get(path)['status'] != 'Stopped':
    #-     time.sleep(1)
    #+ for _ in range(60):
    #+     status = kit.get(path)['status']
    #+     if status == 'Stopped':
    #+         return
    #+     if status == 'Active':
    #+         raise Exception('the pause has failed')
    #+     time.sleep(1)
    #+ raise Exception('the pause does not end')


kit.main(work)
