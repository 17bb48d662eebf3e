import type { Static } from '@sinclair/typebox'
import { closed } from '../../lib/closed.js'
import { canonicalBlock } from '../../lib/ip.js'
import type { DocumentCheck } from '../document.js'
import { properties, reader, stater } from '../field-table.js'
import type { Tx } from '../tx.js'
import { ALLOWED_IPS, newAllowedIp } from './fields.js'

/** An entry of an allow list in a state document. */
export const AllowedIpStateSchema = closed(properties(ALLOWED_IPS.fields, 'document'))
type AllowedIpState = Static<typeof AllowedIpStateSchema>

/** Names that the interface uses in paths where the id of an entry would stand. */
const RESERVED_IDS = ['current', 'enable', 'disable']

const given = reader(ALLOWED_IPS.fields, 'document')
export const toAllowedIpState = stater(ALLOWED_IPS.fields)

export function addAllowedIp(tx: Tx, workgroup: string, entry: AllowedIpState): void {
  tx.allowList.insert(newAllowedIp(tx, { ...given(entry), workgroup } as Parameters<typeof newAllowedIp>[1]))
}

/** @param path path of the workgroup */
export function checkAllowedIps(
  entries: readonly AllowedIpState[],
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
