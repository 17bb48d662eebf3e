import { isIP } from 'node:net'
import { maskAddress } from './addresses.js'
import { isRegion } from './closed.js'
import type { Dictionary } from './dictionary.js'
import { maskUuid, UUID } from './ids.js'
import type { Pseudonyms } from './pseudonyms.js'

const OWN = /(?:^|\.)host-(\d{1,9})\.example\.test$/g

/** Under reserved names; nobody has these, so they tell nothing. */
const NOBODYS = /^(?:.+\.)?(?:localhost|invalid|example|test|example\.(?:com|net|org))$/

/**
 * Replaces a host, with or without a port. First labels that are an id or a region stay, so that an address made of
 * them, such as that of a workspace, keeps its form: `<id>.us-east-1.rest.acme.test` becomes
 * `<id>.us-east-1.host-1.example.test`.
 */
export function maskHost(text: string, pseudonyms: Pseudonyms, hosts: Dictionary): string {
  return text.replace(/(\[[^\]]*\]|[^:]*?|.*)(\.?(?::\d{1,5})?)$/s, (_, host: string, port: string) => {
    return maskName(host, pseudonyms, hosts) + port
  })
}

function maskName(text: string, pseudonyms: Pseudonyms, hosts: Dictionary): string {
  if (text.startsWith('[')) return `[${maskAddress(text.slice(1, -1), pseudonyms)}]`
  if (isIP(text) !== 0) return maskAddress(text, pseudonyms)
  const host = text.toLowerCase()
  for (const [, number] of host.matchAll(OWN)) pseudonyms.reserve('host', Number(number))
  if (host === '' || isNobodys(host)) return withIds(text, pseudonyms)
  const labels = host.split('.')
  let kept = 0
  while (kept < labels.length - 1 && isForm(labels[kept]!)) kept++
  const rest = labels.slice(kept).join('.')
  const replacement = pseudonyms.of(rest, 'host', (number) => `host-${number}.example.test`)
  if (rest.includes('.')) hosts.add(rest, replacement)
  const first = labels.slice(0, kept).map((label) => withIds(label, pseudonyms))
  return [...first, replacement].join('.')
}

/** Whether a host is under a reserved name, as all masked ones are. */
export function isNobodys(host: string): boolean {
  return NOBODYS.test(host)
}

const withIds = (text: string, pseudonyms: Pseudonyms) => text.replaceAll(UUID, (uuid) => maskUuid(uuid, pseudonyms))

/** Whether a label is an id or a region. */
function isForm(label: string): boolean {
  UUID.lastIndex = 0
  return isRegion(label) || (UUID.test(label) && label.length === 36)
}

/** Whether a text can only be the name of a host, with or without a port. */
export function looksLikeHost(text: string): boolean {
  return /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]\.?(?::\d{1,5})?$/i.test(text)
}
