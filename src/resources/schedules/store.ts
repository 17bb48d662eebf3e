import type { Database } from '../../db/database.js'
import { Table } from '../../db/table.js'
import { BACKUP_SCHEDULES, WORKSPACE_SCHEDULES } from './fields.js'

/** The rows of both kinds of schedules. Every function takes the sandbox key first; lists are in order of creation. */
export function scheduleStore(db: Database) {
  const backups = new Table(db, BACKUP_SCHEDULES)
  const schedules = new Table(db, WORKSPACE_SCHEDULES)
  return {
    setBackup: backups.replacer(),
    findBackup: backups.finder('workspace'),
    /** The backup schedules of all workspaces. */
    listAllBackup: backups.lister(),
    /** Adds a schedule, or replaces the one with its id. */
    set: schedules.replacer(),
    find: schedules.finder('workspace', 'id'),
    /** Finds the first schedule with an id, for a path that does not name its workspace. */
    findAnywhere: schedules.finder('id'),
    list: schedules.lister('workspace'),
    /** The schedules of all workspaces. */
    listAll: schedules.lister(),
    /** @returns how many were removed */
    remove: schedules.remover('workspace', 'id')
  }
}
