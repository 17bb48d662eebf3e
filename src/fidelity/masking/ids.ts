import type { Pseudonyms } from './pseudonyms.js'

/** A UUID that stands for another one: the number comes first, because names are made of the first digits. */
const OWN = /^([0-9a-f]{8})-0000-[0-9a-f]000-[0-9a-f]000-0{8}([0-9a-f]{4})$/

/** The digits of their numbers: first those at the beginning. */
const MOST = 2 ** 48 - 1

export const UUID = /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/gi

/** Without hyphens. */
export const BARE_UUID = /(?<![0-9a-z])[0-9a-f]{32}(?![0-9a-z])/gi

/** Replaces a UUID by one of the same version and variant. */
export function maskUuid(text: string, pseudonyms: Pseudonyms): string {
  const uuid = text.toLowerCase()
  const own = OWN.exec(uuid)
  if (own !== null) {
    pseudonyms.reserve('id', parseInt(own[2]! + own[1]!, 16))
    return text
  }
  const write = (number: number) => {
    const digits = number.toString(16).padStart(12, '0')
    return `${digits.slice(4)}-0000-${uuid[14]!}000-${uuid[19]!}000-00000000${digits.slice(0, 4)}`
  }
  return pseudonyms.of(uuid, 'id', write, MOST)
}

/** Replaces a UUID without hyphens. */
export function maskBareUuid(text: string, pseudonyms: Pseudonyms): string {
  const uuid = text.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return maskUuid(uuid, pseudonyms).replaceAll('-', '')
}

/** 12 digits, as an account at AWS has; not the end of a UUID. */
export const ACCOUNT = /(?<![0-9a-z.]|[0-9a-f]{4}-)\d{12}(?![0-9a-z]|\.\d)/gi

const OWN_ACCOUNT = /^90{6}(\d{5})$/

/** Replaces the number of an account. */
export function maskAccount(text: string, pseudonyms: Pseudonyms): string {
  const number = OWN_ACCOUNT.exec(text)?.[1]
  if (number !== undefined) {
    pseudonyms.reserve('account', Number(number))
    return text
  }
  return pseudonyms.of(text, 'account', (number) => String(900_000_000_000 + number), 99_999)
}
