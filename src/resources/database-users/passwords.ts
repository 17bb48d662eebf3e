import { scrypt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { ServiceError } from '../../interface/errors.js'
import { FairQueue } from '../../lib/scheduler.js'
import { machineTime } from '../../lib/time.js'
import { freshSalt } from '../../sim/random.js'

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>

/** Each hash occupies a thread, a processor and 16 MiB for about 50 ms. Leave a processor for the event loop. */
const AT_ONCE = availableParallelism() > 2 ? 2 : 1

/** Pending hashes, by document. */
const waiting = new FairQueue<() => Promise<void>>(machineTime)
let running = 0

/**
 * Hashes a password with scrypt and a fresh salt, on another thread. The result contains everything needed to check it.
 * @param server once it is closed, its queued passwords must not keep the process alive
 * @param of the document with the password, if any; documents take turns, so that a long one does not delay others
 * @throws {ServiceError} `unavailable` if the server is closed before it is this password's turn
 */
export function hashPassword(
  password: string,
  server: { readonly isClosed: boolean },
  of: object = {}
): Promise<string> {
  return new Promise((resolve, reject) => {
    waiting.add(of, () => hash(password, server).then(resolve, reject))
    begin()
  })
}

function begin(): void {
  while (running < AT_ONCE && !waiting.isEmpty) {
    const { value: job } = waiting.take().next() as { readonly value: () => Promise<void> }
    running++
    void job().finally(() => {
      running--
      begin()
    })
  }
}

async function hash(password: string, server: { readonly isClosed: boolean }): Promise<string> {
  if (server.isClosed) throw new ServiceError('unavailable', 'The server has been stopped.')
  const salt = freshSalt()
  const key = await derive(password, salt, 32)
  return `scrypt$16384$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`
}
