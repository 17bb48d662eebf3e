# Creates an environment, and always removes it.
# Mistake: none
import kit

def work():
    try:
        group = kit.ensure_group('main')
        workspace = kit.ensure_workspace(group, 'writer')
        kit.wait_for(group, workspace, 'Active')
    finally:
        left = kit.find_group('main')
        if left:
            kit.remove_group(left['workgroup_id'])


kit.main(work)
