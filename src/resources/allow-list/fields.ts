import { Type } from '@sinclair/typebox'
import type { Stored } from '../../db/table.js'
import { extraColumn } from '../extra.js'

/** An entry of the allow list of a workgroup. */
export const ALLOWED_IPS = {
  name: 'allowed_ips',
  key: ['workgroup', 'id'],
  columns: {
    /** Id of its workgroup. */
    workgroup: { type: Type.String() },
    id: { type: Type.String() },
    /** In canonical form. */
    cidr: { type: Type.String() },
    note: { type: Type.String() },
    extra: extraColumn
  }
} as const

export type AllowedIpRecord = Stored<typeof ALLOWED_IPS.columns>
