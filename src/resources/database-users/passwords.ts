import { scrypt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
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
 * @param of the document that contains many passwords, if any; documents take turns, so that none waits for all of
 * another's
 */
export function hashPassword(password: string, of: object = {}): Promise<string> {
  return turns.run(of, async () => {
    const salt = freshSalt()
    const key = await derive(password, salt, 32)
    return `scrypt$16384$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`
  })
}
