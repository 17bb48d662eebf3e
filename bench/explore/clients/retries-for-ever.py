# Does not limit its retries.
# Mistake: hang createWorkgroup
import kit

import time


def work():
    while True:
        try:
            kit.ensure_group('main')
            return
        except Exception:
            time.sleep(0.05)


kit.main(work)
