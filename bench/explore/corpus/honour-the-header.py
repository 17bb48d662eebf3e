# Waits at most half a minute, even if Retry-After says more.
# Class: limits and manners
# Report: box/box-java-sdk#438
# Client: box-java-sdk, before the change
# Mistake: impolite
#- import time
#-
import kit


#- def pause(error, tries):
#-     time.sleep(min(16, 2 ** tries))
#-
#-
#- kit.pause = pause
#-
#-
def work():
    path = '/workgroups/main/allow_list'
    kit.ensure(
        lambda: next((each for each in kit.get(path) if each['cidr'] == '192.0.2.0/24'), None),
        lambda: kit.once('POST', path, {'cidr': '192.0.2.0/24'}) or True)


kit.main(work)
