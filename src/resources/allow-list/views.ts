import { withExtra } from '../extra.js'
import type { AllowedIpRecord } from './fields.js'
import type { AllowedIP } from './schemas.js'

/** An entry of an allow list as the interface shows it. */
export function toAllowedIpView(entry: AllowedIpRecord): AllowedIP {
  const { id, cidr, note } = entry
  const reply: AllowedIP = { id, cidr, note }
  return withExtra(reply, entry)
}
