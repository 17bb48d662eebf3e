# Fails if the first read after a creation does not find it.
# Class: read after write
# Report: hashicorp/terraform-provider-aws#18529
# Client: terraform-provider-aws, before the change
# Mistake: forgotten
import time

import kit


def work():
    #- workspace = kit.make_workspace('main', 'writer')
    #- if not kit.find_workspace('main', 'writer'):
    #-     raise Exception('the workspace is not there')
    #+ workspace = kit.ensure_workspace('main', 'writer')
    #+ for _ in range(20):
    #+     if kit.find_workspace('main', 'writer'):
    #+         break
    #+     time.sleep(1)
    kit.active_or_gone('main', workspace)


kit.main(work)
