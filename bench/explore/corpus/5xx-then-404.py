# Retries a deletion after a 5xx, and fails on the 404 that follows.
# Class: deletion
# Report: aiven/terraform-provider-aiven#2595
# Client: terraform-provider-aiven, before the change
# Mistake: inconsistent or left-behind
import kit


def work():
    old = kit.find_workspace('main', 'old')
    if not old:
        return
    path = f"/workgroups/main/workspaces/{old['workspace_id']}"
    #- kit.patiently(lambda: kit.once('DELETE', path))
    #+ kit.remove_workspace('main', old['workspace_id'])


kit.main(work)
