# Sends a creation again when the connection breaks, and fails on every other error.
# Class: a lost reply
# Report: apache/libcloud, utils/retry.py of 3.4.1
# Client: apache-libcloud 3.4.1 (Debian)
# Mistake: duplicate
#- import time
#-
import kit


#- def retry(step):
#-     delay = 1
#-     for _ in range(4):
#-         try:
#-             return step()
#-         except kit.Refused:
#-             raise
#-         except Exception:
#-             time.sleep(delay)
#-             delay *= 2
#-     return step()
#-
#-
def work():
    #- workspace = retry(lambda: kit.create_workspace('main', 'writer'))['workspace_id']
    #+ workspace = kit.ensure_workspace('main', 'writer')
    kit.active_or_gone('main', workspace)


kit.main(work)
