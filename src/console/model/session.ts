import type { Access } from '../api/client'

/** Settings that the server writes into the page. */
export interface Settings {
  readonly auth: string
  readonly wantsToken: boolean
}

function settingsIn(text: string): Settings {
  return { auth: /\bauth=(\w+)/.exec(text)?.[1] ?? 'any', wantsToken: /\btoken=yes\b/.test(text) }
}

export const shownSettings = () =>
  settingsIn(document.querySelector('meta[name="svc-mock"]')?.getAttribute('content') ?? '')

/** The present settings of the server. @throws {Error} if it does not answer with the page */
export async function readSettings(): Promise<Settings> {
  const text = await (await fetch(location.pathname)).text()
  const [, content] = /<meta name="svc-mock" content="([^"]*)"/.exec(text) ?? []
  if (content === undefined) throw new Error('The page cannot be read.')
  return settingsIn(content)
}

const ACCESS = 'svc-mock.access'
const KEYS = 'svc-mock.keys'

/** The credentials entered in this tab. They do not outlive the tab, and never appear in a URL. */
export function storedAccess(): Access | undefined {
  const text = sessionStorage.getItem(ACCESS)
  return text === null ? undefined : (JSON.parse(text) as Access)
}

export function storeAccess(access: Access | undefined): void {
  if (access === undefined) sessionStorage.removeItem(ACCESS)
  else sessionStorage.setItem(ACCESS, JSON.stringify(access))
}

export function rememberKey(key: string): void {
  sessionStorage.setItem(KEYS, JSON.stringify([...new Set([key, ...usedKeys()])]))
}

/** The keys that worked in this tab. (The server keeps no keys, so it cannot list them.) */
export function usedKeys(): string[] {
  return JSON.parse(sessionStorage.getItem(KEYS) ?? '[]') as string[]
}
