# Retries without a pause.
# Mistake: impolite listWorkgroups
import kit

def work():
    for tries in range(20):
        try:
            kit.once('GET', '/workgroups')
            return
        except Exception as error:
            if tries == 19 or not kit.is_temporary(error):
                raise


kit.main(work)
