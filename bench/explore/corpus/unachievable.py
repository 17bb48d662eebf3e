# Waits for a state that can no longer be reached.
# Class: Failed is no state
# Report: cloudfoundry/stratos#3308
# Mistake: hang
#- import time
#-
import kit


def work():
    workspace = kit.ensure_workspace('main', 'writer')
    #- while kit.get(f'/workgroups/main/workspaces/{workspace}')['status'] != 'Active':
    #-     time.sleep(2)
    #+ kit.active_or_gone('main', workspace)


kit.main(work)
