# Has an except that passes.
# Mistake: false-success createWorkspace
import kit

def work():
    group = kit.ensure_group('main')
    try:
        kit.ensure_workspace(group, 'writer')
    except Exception:
        pass


kit.main(work)
