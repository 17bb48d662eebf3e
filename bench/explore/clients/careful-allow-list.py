# Updates an allow list to the wanted entries.
# Mistake: none
import kit

WANTED = ['192.0.2.0/24', '198.51.100.7/32']


def work():
    group = kit.ensure_group('main')
    path = f'/workgroups/{group}/allow_list'
    for block in WANTED:
        kit.ensure(
            lambda block=block: next((entry for entry in kit.get(path) if entry['cidr'] == block), None),
            lambda block=block: kit.once('POST', path, {'cidr': block}) or True)
    kit.put(f'{path}/enable')


kit.main(work)
