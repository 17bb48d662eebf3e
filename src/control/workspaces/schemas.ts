import { Type } from '@sinclair/typebox'
import { closed } from '../schemas.js'

export const RunBackupSchema = closed({
  tag: Type.Optional(Type.String({ maxLength: 256, description: 'Name of the backup, which may be empty; `manual-` and the time if absent.' }))
}, { description: 'A backup to make.' })
