# Ignores the errors of its deletions.
# Class: deletion
# Report: red-hat-storage/ocs-ci#7251
# Client: ocs-ci, before the change
# Mistake: false-success
import kit


def work():
    old = kit.find_group('old-project')
    #- try:
    #-     if old:
    #-         kit.remove(f"/workgroups/{old['workgroup_id']}")
    #- except Exception:
    #-     pass
    #+ if old:
    #+     kit.remove(f"/workgroups/{old['workgroup_id']}")


kit.main(work)
