import type { Access } from '../api/client'

/** Settings of the server that matter to callers. The server writes them into the page. */
export interface Settings {
  readonly auth: string
  readonly wantsToken: boolean
  readonly version: string
}

export function readSettings(): Settings {
  const content = document.querySelector('meta[name="svc-mock"]')?.getAttribute('content') ?? ''
  const fields = new Map(content.split(' ').map((field) => field.split('=') as [string, string]))
  return {
    auth: fields.get('auth') ?? 'any',
    wantsToken: fields.get('token') === 'yes',
    version: fields.get('version') ?? ''
  }
}

const ACCESS = 'svc-mock.access'
const KEYS = 'svc-mock.keys'

/** The credentials entered in this tab. They are lost with the tab, and never appear in a URL. */
export function storedAccess(): Access | undefined {
  return parsed(sessionStorage.getItem(ACCESS)) as Access | undefined
}

export function storeAccess(access: Access | undefined): void {
  if (access === undefined) sessionStorage.removeItem(ACCESS)
  else sessionStorage.setItem(ACCESS, JSON.stringify(access))
}

/** Offers a key again in this tab. */
export function rememberKey(key: string): void {
  const keys = [key, ...usedKeys().filter((other) => other !== key)].filter((each) => each !== '')
  sessionStorage.setItem(KEYS, JSON.stringify(keys.slice(0, 20)))
}

/** The keys used in this tab, most recent first. (The server keeps no keys, so it cannot list them.) */
export function usedKeys(): string[] {
  return (parsed(sessionStorage.getItem(KEYS)) as string[] | undefined) ?? []
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
