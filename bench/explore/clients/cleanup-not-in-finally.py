# Removes the environment only if everything succeeded.
# Mistake: left-behind createWorkspace
import kit

def work():
    group = kit.ensure_group('main')
    workspace = kit.ensure_workspace(group, 'writer')
    kit.wait_for(group, workspace, 'Active')
    kit.remove_group(group)


kit.main(work)
