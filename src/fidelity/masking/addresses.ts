import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Pseudonyms } from './pseudonyms.js'

/** Blocks that no host on the internet has: for documentation, and then for benchmarks. */
const DOCUMENTATION = ['198.51.100', '203.0.113', '192.0.2']

/**
 * Replaces a public IP address by one that no host has. Addresses that only mean something where they are, such as
 * loopback and private ones, stay.
 */
export function maskAddress(address: string, pseudonyms: Pseudonyms): string {
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return address
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return address
  const canonical = parsed.toString()
  return version === 4
    ? pseudonyms.of(canonical, 'ipv4', toIPv4)
    : pseudonyms.of(canonical, 'ipv6', (number) => `2001:db8::${number.toString(16)}`)
}

function toIPv4(number: number): string {
  const block = DOCUMENTATION[Math.floor((number - 1) / 254)]
  if (block !== undefined) return `${block}.${((number - 1) % 254) + 1}`
  const rest = number - 254 * DOCUMENTATION.length
  return `198.${18 + ((rest >> 16) & 1)}.${(rest >> 8) & 255}.${rest & 255}`
}
