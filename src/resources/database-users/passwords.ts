import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { freshSalt } from '../../sim/random.js'
import { TakingTurns } from './taking-turns.js'

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>

/**
 * Each hash takes a thread and 16 MiB for some 50 ms; more at once would take longer, and leave no thread for others.
 */
const AT_ONCE = 2

const turns = new TakingTurns(AT_ONCE)

/**
 * Hashes a password with scrypt and a salt of its own, on another thread. The text holds all that checking it needs.
 * @param of what the password is part of, if that has many: of each, one is hashed in turn, so that nobody waits for
 * all of another
 */
export function hashPassword(password: string, of: object = {}): Promise<string> {
  return turns.run(of, async () => {
    const salt = freshSalt()
    const key = await derive(password, salt, 32)
    return `scrypt$16384$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`
  })
}
