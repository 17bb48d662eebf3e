# Silently gives up a rename after some attempts.
# Mistake: false-success updateWorkgroup
import kit

def work():
    group = kit.ensure_group('main')
    try:
        kit.put(f'/workgroups/{group}', {'name': 'renamed'})
    except kit.Refused:
        return


kit.main(work)
