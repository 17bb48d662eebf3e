# Waits until the workspace exists, not until it can be used.
# Class: waiting for the wrong thing
# Report: apache/airflow#29539
# Client: airflow, before the change
# Mistake: false-success
#- import time
#-
import kit


def work():
    workspace = kit.ensure_workspace('main', 'writer')
    #- while not kit.find_workspace('main', 'writer'):
    #-     time.sleep(1)
    #+ kit.active_or_gone('main', workspace)
    print('ready')


kit.main(work)
