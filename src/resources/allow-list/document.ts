import type { Static } from '@sinclair/typebox'
import { canonicalBlock } from '../../lib/ip.js'
import type { DocumentCheck } from '../document.js'
import type { allowedIpInDocument } from './fields.js'

/** Names that the interface uses in paths where the id of an entry would stand. */
const RESERVED_IDS = ['current', 'enable', 'disable']

/** @param path path of the workgroup */
export function checkAllowedIps(
  { entries = [] }: { readonly entries?: readonly Static<typeof allowedIpInDocument.schema>[] },
  path: string,
  { complain, unique }: DocumentCheck
): void {
  entries.forEach((entry, index) => {
    const at = `${path}.allow_list.entries.${index}`
    unique(`allowed IP of ${path}`, `${at}.id`, entry.id)
    unique(`block of ${path}`, `${at}.cidr`, blockOf(entry.cidr))
    if (entry.id !== undefined && RESERVED_IDS.includes(entry.id)) {
      complain(`${at}.id`, `must not be ${entry.id}, which is an operation of the allow list`)
    }
  })
}

/** The schema may have rejected the text. */
const blockOf = (cidr: unknown) => (typeof cidr === 'string' ? canonicalBlock(cidr) : undefined)
