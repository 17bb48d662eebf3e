import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Addresses that mean the same everywhere, and tell nothing. */
const COMMON = ['127.0.0.1', '0.0.0.0', '::1', '::']

/**
 * Replaces an IP address or block so that prefixes stay prefixes (Crypto-PAn): a masked block contains just the masked
 * addresses of what was in it. The digest is a keyed hash of the bits before. Undefined if the text is neither.
 */
export function maskAddress(text: string, digest: (prefix: string) => Buffer): string | undefined {
  const [address = '', length] = text.split('/')
  if (isIP(address) === 0 || text.split('/').length > 2) return undefined
  const parsed = ipaddr.parse(address)
  if (COMMON.includes(address)) return text
  const bytes = parsed.toByteArray()
  const network = length === undefined ? bytes.length * 8 : Math.min(Number(length), bytes.length * 8)
  // The rest of a network is 0, and stays so; the rest of an address in it is as telling as its beginning.
  const isNetwork = bytes.every((byte, index) => (byte << Math.min(Math.max(network - index * 8, 0), 8)) % 256 === 0)
  const bits = isNetwork ? network : bytes.length * 8
  const masked = bytes.map((byte, index) => {
    const nodes = digest(`${bytes.length} ${bytes.slice(0, index).join('.')}`)
    // Each bit depends on those before it: a node of a tree for each beginning of the byte.
    let result = 0
    for (let bit = 0; bit < 8; bit++) {
      const before = byte >> (8 - bit)
      const node = (1 << bit) - 1 + before
      const flips = index * 8 + bit < bits && ((nodes[node >> 3]! >> (node & 7)) & 1) === 1
      result = (result << 1) | (((byte >> (7 - bit)) & 1) ^ (flips ? 1 : 0))
    }
    return result
  })
  return ipaddr.fromByteArray(masked).toString() + (length === undefined ? '' : `/${length}`)
}
