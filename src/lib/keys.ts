import { hash } from 'node:crypto'

/** SHA-256 of a credential. It identifies a sandbox, so that no credential is stored in clear text. */
export function sandboxIdOf(secret: string): string {
  return hash('sha256', secret)
}

/** The keys that the control API has issued, anywhere in a text. */
export const FORK_KEYS = /fork_[0-9a-f]{24}/g

/** Whether the control API has issued a key. Such a key must not create a new sandbox if its own is gone. */
export function isForkKey(key: string): boolean {
  return /^fork_[0-9a-f]{24}$/.test(key)
}
