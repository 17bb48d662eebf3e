import { isDamaged, isOverLimit, isUnwritable } from '../db/database.js'
import { databaseFull, ServiceError } from '../interface/errors.js'

/** What callers learn of an error of the database; undefined if it is another error. */
export function storageRefusal(error: unknown): ServiceError | undefined {
  if (isOverLimit(error)) return databaseFull()
  if (isUnwritable(error))
    return new ServiceError(
      'unavailable',
      'The database cannot be written for now, so nothing was changed. Is the disk full or read-only?'
    )
  if (isDamaged(error)) return new ServiceError('unavailable', 'The database is damaged; see the log of the server.')
  return undefined
}
