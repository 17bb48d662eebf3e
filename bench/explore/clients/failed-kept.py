# Notices that the workspace failed, and keeps it.
# Mistake: left-behind createWorkspace
import kit

def work():
    group = kit.ensure_group('main')
    workspace = kit.ensure_workspace(group, 'writer')
    kit.wait_for(group, workspace, 'Active')


kit.main(work)
