# Does not check whether the list is enabled.
# Mistake: false-success enableAllowList
import kit

def work():
    group = kit.ensure_group('main')
    try:
        kit.once('PUT', f'/workgroups/{group}/allow_list/enable')
    except Exception as error:
        print('warning:', error)


kit.main(work)
