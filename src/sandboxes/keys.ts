import { hash } from 'node:crypto'
import { freshSeed } from '../sim/random.js'

/** SHA-256 of a credential: how a sandbox is known, so that none is stored in clear. */
export function sandboxIdOf(secret: string): string {
  return hash('sha256', secret)
}

/**
 * Keys of sandboxes that the control API makes look like this, so that one whose sandbox is gone does not make a new
 * one.
 */
export function isForkKey(key: string): boolean {
  return /^fork_[0-9a-f]{24}$/.test(key)
}

/** A new key for a sandbox that the control API makes. */
export function forkKey(): string {
  return `fork_${freshSeed()}`
}
