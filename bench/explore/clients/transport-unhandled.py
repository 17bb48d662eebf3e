# Handles statuses, but not a connection that ends.
# Mistake: inconsistent createWorkgroup
import kit

def work():
    for tries in range(kit.TRIES):
        try:
            if not kit.named(kit.once('GET', '/workgroups'), 'main'):
                kit.create_group('main')
            return
        except kit.Refused as error:
            if not kit.is_temporary(error) or tries == kit.TRIES - 1:
                raise
            kit.pause(error, tries)


kit.main(work)
