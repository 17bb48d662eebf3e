import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Pseudonyms } from './pseudonyms.js'

/** Addresses that no host on the internet has, as first address and length of the prefix. */
type Block = readonly [first: string, prefix: number]

/** A family of addresses. */
interface Family {
  readonly kind: 'ipv4' | 'ipv6'
  readonly bits: number
  /** Prefix length of the networks that are replaced, unless another one is given. */
  readonly usual: number
  /** Shortest prefix length of those. */
  readonly shortest: number
  /** What replaces the usual networks, and all others. */
  readonly usualBlocks: readonly Block[]
  readonly otherBlocks: readonly Block[]
}

/** Never used: 240.0.0.0/4 without 255.0.0.0/8. */
const RESERVED: readonly Block[] = [
  ['240.0.0.0', 5],
  ['248.0.0.0', 6],
  ['252.0.0.0', 7],
  ['254.0.0.0', 8]
]

/** Blocks for documentation, and for benchmarks. */
const DOCUMENTATION: readonly Block[] = [
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['192.0.2.0', 24],
  ['198.18.0.0', 15]
]

const FAMILIES: readonly [Family, Family] = [
  {
    kind: 'ipv4',
    bits: 32,
    usual: 24,
    shortest: 8,
    usualBlocks: [...DOCUMENTATION, ...RESERVED],
    otherBlocks: RESERVED
  },
  {
    kind: 'ipv6',
    bits: 128,
    usual: 64,
    shortest: 24,
    usualBlocks: [['2001:db8::', 32]],
    otherBlocks: [['3fff::', 20]]
  }
]

/** Addresses of hosts; the others only mean something where they are. */
const PUBLIC = ['unicast', '6to4', 'teredo']

/** Shorter ids of interfaces are chosen by people; a longer one can tell the device. */
const PLAIN_INTERFACE = 0xffffn

/**
 * Replaces a public IP address by one that no host has. Its network is replaced as a whole, and it keeps its place
 * there: so the network of a masked address is the masked network of the address.
 * @param prefix the length that was given with it
 */
export function maskAddress(address: string, pseudonyms: Pseudonyms, prefix?: number): string {
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return address
  const parsed = ipaddr.parse(address)
  if (!PUBLIC.includes(parsed.range())) return address
  const family = FAMILIES[version === 4 ? 0 : 1]
  const length = lengthOf(family, prefix)
  const rest = BigInt(family.bits - length)
  const value = toNumber(parsed.toByteArray())
  const network = networkFor(family, length, value >> rest, pseudonyms)
  let host = value & ((1n << rest) - 1n)
  if (rest === 64n && host > PLAIN_INTERFACE)
    host = PLAIN_INTERFACE + BigInt(pseudonyms.number('interface', String(host), 2 ** 47))
  return toText((network << rest) | host, family)
}

/** The length of the network that is replaced. */
function lengthOf({ bits, usual, shortest }: Family, prefix = bits): number {
  // An interface can only be replaced if it is one.
  const isOther = prefix < usual ? prefix >= shortest : usual === 64 && prefix < bits
  return isOther ? prefix : usual
}

/** What stands for a network. @param network its first bits */
function networkFor(family: Family, length: number, network: bigint, pseudonyms: Pseudonyms): bigint {
  const { kind, bits, usual, usualBlocks, otherBlocks } = family
  const blocks = (length < usual ? otherBlocks : usualBlocks).map(([first, prefix]) => ({
    first: toNumber(ipaddr.parse(first).toByteArray()) >> BigInt(bits - length),
    size: 1n << BigInt(length - prefix)
  }))
  const space = blocks.reduce((sum, { size }) => sum + size, 0n)
  let index = BigInt(pseudonyms.number(`${kind}/${length}`, String(network), Number(space)) - 1) % space
  for (const { first, size } of blocks) {
    if (index < size) return first + index
    index -= size
  }
  return network
}

const toNumber = (bytes: readonly number[]) => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

function toText(value: bigint, { bits }: Family): string {
  const bytes = Array.from({ length: bits / 8 }, (_, index) => Number((value >> BigInt(bits - 8 - 8 * index)) & 0xffn))
  return ipaddr.fromByteArray(bytes).toString()
}
