# Retries without a pause when the service is down.
# Class: limits and manners
# Report: DestinyItemManager/DIM#4329
# Client: DIM, before the change
# Mistake: impolite
#- import time
#-
import kit


#- def pause(error, tries):
#-     time.sleep(getattr(error, 'retry_after', None) and float(error.retry_after) or 0.2)
#-
#-
#- kit.pause = pause
#-
#-
def work():
    workspace = kit.ensure_workspace('main', 'writer')
    kit.active_or_gone('main', workspace)


kit.main(work)
