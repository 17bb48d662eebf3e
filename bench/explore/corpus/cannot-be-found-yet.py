# Creates something again until the list shows it.
# Class: read after write
# Report: philips-software/terraform-provider-hsdp#222
# Mistake: duplicate
import kit


def work():
    #- for _ in range(3):
    #-     found = kit.find_workspace('main', 'writer')
    #-     if found:
    #-         break
    #-     kit.make_workspace('main', 'writer')
    #- workspace = kit.find_workspace('main', 'writer')['workspace_id']
    #+ workspace = kit.ensure_workspace('main', 'writer')
    kit.active_or_gone('main', workspace)


kit.main(work)
