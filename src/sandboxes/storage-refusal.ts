import { isDamaged, isOverLimit, isUnwritable } from '../db/database.js'
import { databaseFull, ServiceError } from '../interface/errors.js'

/** The reply to an error of the database; undefined for any other error. */
export function storageRefusal(error: unknown): ServiceError | undefined {
  if (isOverLimit(error)) return databaseFull()
  if (isUnwritable(error))
    return new ServiceError(
      'unavailable',
      'The database cannot be written, so this cannot be stored. Is the disk full or read-only, or was the file moved?'
    )
  if (isDamaged(error)) return new ServiceError('unavailable', 'The database is damaged; see the log of the server.')
  return undefined
}
