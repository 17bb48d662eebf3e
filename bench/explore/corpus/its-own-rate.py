# Has a rate of its own, and does not read Retry-After.
# Class: limits and manners
# Report: incident-io/catalog-importer#138
# Client: catalog-importer, before the change
# Mistake: impolite
#- import time
#-
import kit


#- def pause(error, tries):
#-     time.sleep(0.5 * 2 ** tries)
#-
#-
#- kit.pause = pause
#-
#-
def work():
    workspace = kit.ensure_workspace('main', 'writer')
    kit.active_or_gone('main', workspace)


kit.main(work)
