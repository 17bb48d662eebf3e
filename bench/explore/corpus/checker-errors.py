# Continues to poll after every error, even a permanent one.
# Class: Failed is no state
# Report: Arubacloud/terraform-provider-arubacloud#60
# Client: terraform-provider-arubacloud, before the change
# Mistake: hang
#- import time
#-
import kit


def work():
    workspace = kit.ensure_workspace('main', 'writer')
    path = f'/workgroups/main/workspaces/{workspace}'
    #- while True:
    #-     try:
    #-         status = kit.once('GET', path)['status']
    #-     except Exception as error:
    #-         print(error)
    #-         status = 'Creating'
    #-     if status in ('Active', 'Failed'):
    #-         break
    #-     time.sleep(1)
    #- if status == 'Failed':
    #-     kit.remove_workspace('main', workspace)
    #-     raise Exception('the workspace has failed')
    #+ kit.active_or_gone('main', workspace)
    print(kit.get(path)['status'])


kit.main(work)
