# Creates a temporary workspace, and leaves it if using it fails.
# Class: a crash between write and record
# Report: confidential-containers/cloud-api-adaptor#2743
# Client: cloud-api-adaptor, before the change
# Mistake: left-behind
import kit


def work():
    #- workspace = kit.make_workspace('main', 'writer')
    #- kit.wait_for('main', workspace, 'Active')
    #- kit.put(f'/workgroups/main/workspaces/{workspace}', {'auto_stop_minutes': 60})
    #- kit.remove_workspace('main', workspace)
    #+ try:
    #+     workspace = kit.ensure_workspace('main', 'writer')
    #+     kit.wait_for('main', workspace, 'Active')
    #+     kit.put(f'/workgroups/main/workspaces/{workspace}', {'auto_stop_minutes': 60})
    #+ finally:
    #+     left = kit.find_workspace('main', 'writer')
    #+     if left:
    #+         kit.remove_workspace('main', left['workspace_id'])


kit.main(work)
