# Makes sure that a workspace exists, and removes a failed one.
# Mistake: none
import kit

def work():
    group = kit.ensure_group('main')
    workspace = kit.ensure_workspace(group, 'writer')
    try:
        kit.wait_for(group, workspace, 'Active')
    except Exception:
        kit.remove_workspace(group, workspace)
        raise


kit.main(work)
