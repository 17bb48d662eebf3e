# Does not limit a request.
# Class: limits and manners
# Report: s-hamann/desec-dns#26
# Client: desec-dns, before the change
# Mistake: hang
#- import urllib.request
#-
import kit


#- real = urllib.request.urlopen
#- urllib.request.urlopen = lambda request, timeout=None: real(request)
#-
#-
def work():
    workspace = kit.ensure_workspace('main', 'writer')
    kit.active_or_gone('main', workspace)


kit.main(work)
