import { Type } from '@sinclair/typebox'
import type { Stored } from '../../db/table.js'
import { extraColumn } from '../extra.js'

/** A database without its contents. */
export const DATABASES = {
  name: 'databases',
  key: ['id'],
  columns: {
    id: { type: Type.String() },
    /** Id of its workgroup. */
    workgroup: { type: Type.String(), isFixed: true },
    name: { type: Type.String() },
    svc_version: { type: Type.String(), isFixed: true },
    create_time: { type: Type.String(), isFixed: true },
    extra: extraColumn
  }
} as const

export type DatabaseRecord = Stored<typeof DATABASES.columns>
