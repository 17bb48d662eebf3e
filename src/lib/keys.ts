import { hash } from 'node:crypto'

/** SHA-256 of a credential, which identifies a sandbox, so that no credential is stored in clear text. */
export function sandboxIdOf(secret: string): string {
  return hash('sha256', secret)
}

/** Keys issued by the control API, anywhere in a text. */
export const FORK_KEYS = /fork_[0-9a-f]{24}/g

/** Whether the control API issued a key. Such a key must not create a new sandbox when its own is gone. */
export function isForkKey(key: string): boolean {
  return /^fork_[0-9a-f]{24}$/.test(key)
}
