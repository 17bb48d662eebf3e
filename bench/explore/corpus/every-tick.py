# Polls at every tick, even if the service refuses its credential.
# Class: limits and manners
# Report: ridafkih/keeper.sh#625
# Client: keeper.sh, before the change
# Mistake: hang
#- import time
#-
import kit


def work():
    workspace = kit.ensure_workspace('main', 'writer')
    path = f'/workgroups/main/workspaces/{workspace}'
    #- while True:
    #-     try:
    #-         status = kit.get(path)['status']
    #-     except kit.Refused as error:
    #-         if error.status not in (401, 403):
    #-             raise
    #-         status = 'unknown'
    #-     if status == 'Active':
    #-         return
    #-     if status == 'Failed':
    #-         kit.remove_workspace('main', workspace)
    #-         raise Exception('the workspace has failed')
    #-     time.sleep(1)
    #+ kit.active_or_gone('main', workspace)


kit.main(work)
