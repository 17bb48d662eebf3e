import type { Access } from '../api/client'

/** What the server wants of its callers, as the page was told. */
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

/** What this tab was given. It is gone with the tab, and stands in no URL. */
export function storedAccess(): Access | undefined {
  return parsed(sessionStorage.getItem(ACCESS)) as Access | undefined
}

export function storeAccess(access: Access | undefined): void {
  if (access === undefined) sessionStorage.removeItem(ACCESS)
  else {
    sessionStorage.setItem(ACCESS, JSON.stringify(access))
    if (access.key !== '')
      sessionStorage.setItem(
        KEYS,
        JSON.stringify([access.key, ...usedKeys().filter((key) => key !== access.key)].slice(0, 20))
      )
  }
}

/** The keys that this tab has used, the last one first. (The server keeps no key, so it cannot list them.) */
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
