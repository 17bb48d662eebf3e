# Makes sure that a database user exists.
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
    path = f'/workgroups/{group}/workspaces/{workspace}/dbuser'
    kit.ensure(
        lambda: next((user for user in kit.get(path) if user['username'] == 'app'), None),
        lambda: kit.once('POST', path, {'username': 'app', 'password': 'secret-1'}) or True)


kit.main(work)
