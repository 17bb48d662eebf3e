# Prints FAILED, and ends with 0.
# Class: errors hidden
# Report: ethersphere/swarm-cli#154
# Client: swarm-cli, before the change
# Mistake: false-success
import kit


def work():
    #- try:
    #-     workspace = kit.ensure_workspace('main', 'writer')
    #-     kit.active_or_gone('main', workspace)
    #-     print('OK')
    #- except Exception:
    #-     print('FAILED')
    #+ workspace = kit.ensure_workspace('main', 'writer')
    #+ kit.active_or_gone('main', workspace)
    #+ print('OK')


kit.main(work)
