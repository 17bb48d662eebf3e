# Does not check whether a delete succeeded.
# Mistake: false-success deleteWorkgroup
import kit

def work():
    group = kit.ensure_group('main')
    try:
        kit.remove(f'/workgroups/{group}')
    except kit.Refused as error:
        print('not deleted:', error)


kit.main(work)
