import { Type } from '@sinclair/typebox'
import type { Stored } from '../../db/table.js'
import { extraColumn } from '../extra.js'

/** A workgroup without its contents. */
export const WORKGROUPS = {
  name: 'workgroups',
  key: ['id'],
  columns: {
    id: { type: Type.String() },
    name: { type: Type.String() },
    creator: { type: Type.String(), isFixed: true },
    cloud_provider_id: { type: Type.String(), isFixed: true },
    platform: { type: Type.String(), isFixed: true },
    region: { type: Type.String(), isFixed: true },
    enable_allow_list: { type: Type.Boolean() },
    extra: extraColumn
  }
} as const

export type WorkgroupRecord = Stored<typeof WORKGROUPS.columns>
