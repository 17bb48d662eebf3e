# Waits for the usual time instead of polling.
# Class: waiting for the wrong thing
# Report: alibaba/footmark#13
# Client: footmark
# Mistake: false-success
#- import time
#-
import kit


def work():
    workspace = kit.ensure_workspace('main', 'writer')
    #- time.sleep(10)
    #+ kit.active_or_gone('main', workspace)
    print(kit.get(f'/workgroups/main/workspaces/{workspace}')['status'])


kit.main(work)
