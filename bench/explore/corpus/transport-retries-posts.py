# Its transport sends a POST again after a time-out or a broken connection.
# Class: a lost reply
# Report: fleet-ai/fleet-sdk#135
# Client: fleet-sdk, before the change
# Mistake: duplicate
import kit


def work():
    #- workspace = kit.patiently(lambda: kit.create_workspace('main', 'writer'))['workspace_id']
    #+ workspace = kit.ensure_workspace('main', 'writer')
    kit.active_or_gone('main', workspace)


kit.main(work)
