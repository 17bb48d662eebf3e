import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Block = [address: Address, prefix: number]

/**
 * The canonical form of an address or CIDR block: a bare address becomes a block of one, host bits are cleared, IPv6 is
 * compressed, an IPv4-mapped IPv6 block becomes IPv4. undefined if invalid.
 */
export function canonicalBlock(text: string): string | undefined {
  const [address = '', prefixText, ...rest] = text.split('/')
  // ipaddr.js also reads "127.1" and "0x7f.1"; an allow list should not guess. A zone has no meaning on another host.
  if (rest.length > 0 || isIP(address) === 0 || address.includes('%')) return undefined
  const parsed = parse(address)
  const bits = parsed.kind() === 'ipv4' ? 32 : 128
  if (prefixText !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefixText)) return undefined
  const prefix = prefixText === undefined ? bits : Number(prefixText)
  if (prefix > bits) return undefined
  const [block, length] = unmapped(parsed, prefix)
  const family = block.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return `${family.networkAddressFromCIDR(`${block.toString()}/${length}`).toString()}/${length}`
}

/** Whether a canonical block contains an address. Families do not mix: `::/0` contains no IPv4 address. */
export function contains(block: string, address: string): boolean {
  const parsed = parse(address)
  const range = ipaddr.parseCIDR(block)
  return parsed.kind() === range[0].kind() && parsed.match(range)
}

/** The address in its shortest form, without a zone; an IPv4-mapped IPv6 address becomes IPv4. undefined if invalid. */
export function canonicalAddress(text: string): string | undefined {
  const address = text.split('%')[0]!
  if (isIP(address) === 0) return undefined
  return unmapped(parse(address), 128)[0].toString()
}

/** The sender of a request. */
interface CallerAddress {
  /** The farthest address that we can trust. */
  readonly address: string
  /** Whether the caller is hidden behind that address. */
  readonly isHidden: boolean
}

/** An address as proxies write it: possibly with a port, and then IPv6 in brackets. */
function hopAddress(text: string): string | undefined {
  const [, inBrackets, withPort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d[\d.]*):\d{1,5})$/.exec(text) ?? []
  return canonicalAddress(inBrackets ?? withPort ?? text)
}

/** Headers in which proxies report the caller. Only `X-Forwarded-For` is read. */
const OF_PROXIES = /^(?:x-forwarded|forwarded|via|(?:x-real|x-client|x-cluster-client|true-client|cf-connecting)-ip$)/

/**
 * Finds the sender of a request. `X-Forwarded-For` counts only if the peer is trusted. It is read from the right, as
 * long as the addresses are trusted too, so a caller cannot forge an address. Fastify's `trustProxy` is unsuitable: it
 * skips empty hops (`127.0.0.1,` would be this machine), and takes an invalid hop for the caller's address.
 * @param trusted valid addresses and blocks of proxies
 */
export function callerOf(
  trusted: readonly string[]
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => CallerAddress {
  const blocks = trusted.map((block) => canonicalBlock(block)!)
  const isTrusted = (address: string) => blocks.some((block) => contains(block, address))
  return ({ headers, socket }) => {
    const forwardedFor = headers['x-forwarded-for']
    // Another header may report another caller.
    const isUnclear =
      headers.forwarded !== undefined ||
      (forwardedFor === undefined && Object.keys(headers).some((name) => OF_PROXIES.test(name)))
    const hops = forwardedFor === undefined ? [] : String(forwardedFor).split(',')
    let address = canonicalAddress(socket.remoteAddress ?? '') ?? socket.remoteAddress ?? ''
    // The header of an untrusted peer only shows that it is a proxy.
    if (hops.length > 0 && !isTrusted(address)) return { address, isHidden: true }
    while (hops.length > 0 && isTrusted(address)) {
      const hop = hopAddress(hops.pop()!.trim())
      if (hop === undefined) return { address, isHidden: true }
      address = hop
    }
    return { address, isHidden: isUnclear }
  }
}

/** Whether an address is a loopback address of this machine. */
export function isLoopback(address: string): boolean {
  const canonical = canonicalAddress(address)
  return canonical !== undefined && ipaddr.parse(canonical).range() === 'loopback'
}

/** ipaddr.js mistakes the deprecated form `::1.2.3.4` for a mapped address unless it is in hexadecimal digits. */
function parse(address: string): Address {
  return ipaddr.parse(
    address.includes(':')
      ? address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
          const [a, b, c, d] = bytes.map(Number) as [number, number, number, number]
          return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
        })
      : address
  )
}

function unmapped(address: Address, prefix: number): Block {
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && prefix >= 96) {
    return [address.toIPv4Address(), prefix - 96]
  }
  return [address, prefix]
}
