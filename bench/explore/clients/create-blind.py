# Retries a create without looking.
# Mistake: duplicate createWorkspace
import kit

def work():
    group = kit.ensure_group('main')
    if not kit.find_workspace(group, 'writer'):
        kit.patiently(lambda: kit.create_workspace(group, 'writer'))


kit.main(work)
