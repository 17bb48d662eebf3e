# Mistakes every state but Terminating for the end of a deletion.
# Class: deletion
# Report: hashicorp/terraform#24704
# Mistake: false-success
#- import time
#-
import kit


def work():
    old = kit.find_workspace('main', 'old')
    if not old:
        return
    #- path = f"/workgroups/main/workspaces/{old['workspace_id']}"
    #- kit.remove(path)
    #- for _ in range(50):
    #-     try:
    #-         if kit.get(path)['status'] != 'Terminating':
    #-             break
    #-     except kit.Refused as error:
    #-         if error.status == 404:
    #-             break
    #-         raise
    #-     time.sleep(0.1)
    #+ kit.remove_workspace('main', old['workspace_id'])
    print('gone')


kit.main(work)
