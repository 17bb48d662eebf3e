import { type Static, Type } from '@sinclair/typebox'
import { closed } from '../../lib/closed.js'
import { canonicalBlock } from '../../lib/ip.js'
import { extraState } from '../../profile/extra-state.js'
import { type DocumentCheck, id } from '../document.js'
import { extraOf } from '../extra.js'
import type { Tx } from '../tx.js'
import type { AllowedIpRecord } from './fields.js'

/** An entry of an allow list in a state document. */
export const AllowedIpStateSchema = closed({
  id,
  cidr: Type.String({ format: 'cidr', description: 'Address or block.' }),
  note: Type.Optional(Type.String({ maxLength: 256, description: 'A remark; empty if absent.' })),
  extra: extraState('allowed_ip')
})
type AllowedIpState = Static<typeof AllowedIpStateSchema>

/** Names that the interface uses in paths where the id of an entry would stand. */
const RESERVED_IDS = ['current', 'enable', 'disable']

export function addAllowedIp(tx: Tx, workgroup: string, entry: AllowedIpState): void {
  const { id = tx.newId(), cidr, note = '', extra } = entry
  tx.allowList.insert({ workgroup, id, cidr: canonicalBlock(cidr)!, note, extra })
}

export function toAllowedIpState(entry: AllowedIpRecord): AllowedIpState {
  const { id, cidr, note } = entry
  return { id, cidr, note, ...extraOf(entry) }
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
