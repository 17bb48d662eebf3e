import { scrypt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { ServiceError } from '../../interface/errors.js'
import { freshSalt } from '../../sim/random.js'
import { TakingTurns } from './taking-turns.js'

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>

/**
 * Each hash takes a processor and 16 MiB for about 50 ms. More at once would be slower, leave no free threads, and take
 * the processor that the event loop needs.
 */
const AT_ONCE = availableParallelism() > 2 ? 2 : 1

const turns = new TakingTurns(AT_ONCE)

/**
 * Hashes a password with scrypt and a fresh salt, on another thread. The result contains everything needed to check it.
 * @param server who wants it; a process must not stay alive for what a closed server has left in the queue
 * @param of the document that contains many passwords, if any; documents take turns, so that none waits for all of
 * another's
 * @throws {ServiceError} `unavailable` if the server is closed before it is this password's turn
 */
export function hashPassword(
  password: string,
  server: { readonly isClosed: boolean },
  of: object = {}
): Promise<string> {
  return turns.run(of, async () => {
    if (server.isClosed) throw new ServiceError('unavailable', 'The server has been stopped.')
    const salt = freshSalt()
    const key = await derive(password, salt, 32)
    return `scrypt$16384$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`
  })
}
