import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { freshSalt } from '../../sim/random.js'

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>

/** Hashes a password with scrypt and a salt of its own, on another thread. The text holds all that checking it needs. */
export async function hashPassword(password: string): Promise<string> {
  const salt = freshSalt()
  const key = await derive(password, salt, 32)
  return `scrypt$16384$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`
}
