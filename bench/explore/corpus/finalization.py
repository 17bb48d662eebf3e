# Ends its polling when a connection breaks.
# Class: one bad poll ends the wait
# Report: NationalSecurityAgency/skills-service#1258
# Mistake: forgotten
import time

import kit


#- def unless_broken(path):
#-     for tries in range(5):
#-         try:
#-             return kit.once('GET', path)
#-         except kit.Refused as error:
#-             if not kit.is_temporary(error) or tries == 4:
#-                 raise
#-             kit.pause(error, tries)


def work():
    #- workspace = kit.make_workspace('main', 'writer')
    #+ workspace = kit.ensure_workspace('main', 'writer')
    path = f'/workgroups/main/workspaces/{workspace}'
    for _ in range(60):
        #- status = unless_broken(path)['status']
        #+ status = kit.get(path)['status']
        if status == 'Active':
            return
        if status == 'Failed':
            break
        time.sleep(0.1)
    kit.remove_workspace('main', workspace)
    raise Exception('the workspace does not become Active')


kit.main(work)
