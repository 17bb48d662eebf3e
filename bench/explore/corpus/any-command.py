# Ends with 0 even if its commands failed.
# Class: errors hidden
# Report: c6o/roadmap#41
# Mistake: false-success
import kit


def work():
    path = '/workgroups/main/allow_list'
    commands = [
        lambda: kit.ensure(
            lambda: next((each for each in kit.get(path) if each['cidr'] == '192.0.2.0/24'), None),
            lambda: kit.once('POST', path, {'cidr': '192.0.2.0/24'}) or True),
        lambda: kit.put(f'{path}/enable'),
    ]
    for command in commands:
        #- try:
        #-     command()
        #- except Exception as error:
        #-     print(error)
        #+ command()


kit.main(work)
