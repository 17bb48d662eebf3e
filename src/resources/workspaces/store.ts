import { Type } from '@sinclair/typebox'
import type { Database } from '../../db/database.js'
import { Table } from '../../db/table.js'
import type { QuotaRule } from '../../profile/quotas.js'
import {
  BRIEF_WORKSPACES,
  type BriefWorkspace,
  type WorkspaceRecord,
  WORKSPACES,
  WORKSPACES_IN_PLACE
} from './fields.js'

/** Sorts in order of creation. */
export const byCreation = (a: BriefWorkspace, b: BriefWorkspace): number => a.place - b.place

/** Number of workspaces read by one statement. */
const PAGE = 1000

/** The rows of workspaces. Every function takes the sandbox key first; lists are in order of creation. */
export function workspaceStore(db: Database) {
  const table = new Table(db, WORKSPACES)
  const inPlace = new Table(db, WORKSPACES_IN_PLACE)
  const counter = (conditions: string, what = 'count(*)') =>
    db
      .prepare<[number, ...(string | number)[]], number>(
        `SELECT ${what} FROM workspaces WHERE sandbox = ? AND ${conditions}`
      )
      .pluck()
  const countOfWorkgroup = counter('workgroup = ?')
  const countOfDatabase = counter('database = ?')
  const countOfKind = counter('is_rw = ? AND status <> ?')
  const countOfKindIn = counter('database = ? AND is_rw = ? AND status <> ?')
  const readWrite = db
    .prepare<[number, string], string>('SELECT id FROM workspaces WHERE sandbox = ? AND database = ? AND is_rw = 1')
    .pluck()
  const addonsSize = counter('id <> ?', 'total(octet_length(addons))')
  const next =
    'AND (workspaces.workgroup, workspaces.rowid) > (?, ?) ORDER BY workspaces.workgroup, workspaces.rowid LIMIT ?'
  const nextPage = inPlace.query(next).all
  const nextBriefPage = new Table(db, BRIEF_WORKSPACES).query(next).all
  const nextOfWorkgroup = inPlace.query(
    'AND workgroup = ? AND workspaces.rowid > ? ORDER BY workspaces.rowid LIMIT ?'
  ).all
  const briefPages = (sandbox: number) => pagesOf((...after) => nextBriefPage(sandbox, ...after, PAGE))
  return {
    insert: table.inserter(),
    /** Stores all fields of a workspace that can change. */
    save: table.saver(),
    find: table.finder('id'),
    /** Finds a workspace in one workgroup. */
    findIn: table.finder('workgroup', 'id'),
    /** All workspaces of a sandbox, page by page, grouped by workgroup and in order of creation. */
    pages: (sandbox: number) => pagesOf((...after) => nextPage(sandbox, ...after, PAGE)),
    /** Like `pages`, with only a few columns, which is much faster. */
    briefPages,
    listBrief: (sandbox: number): BriefWorkspace[] => [...briefPages(sandbox)].flat().sort(byCreation),
    /** The workspaces of a workgroup, page by page, in order of creation. */
    pagesOfWorkgroup: (sandbox: number, workgroup: string) =>
      pagesOf((_, place) => nextOfWorkgroup(sandbox, workgroup, place, PAGE)),
    listOfDatabase: table.lister('database'),
    /** Bytes of the add-ons of all workspaces but one. */
    addonsSize: (sandbox: number, id: string) => addonsSize.get(sandbox, id)!,
    countOfWorkgroup: (sandbox: number, workgroup: string) => countOfWorkgroup.get(sandbox, workgroup)!,
    countOfDatabase: (sandbox: number, database: string) => countOfDatabase.get(sandbox, database)!,

    /** Number of read-write or read-only workspaces that count towards a quota, before this database gets another. */
    countFor(
      sandbox: number,
      isRw: boolean,
      { per, failed }: Pick<QuotaRule, 'per' | 'failed'>,
      database: string
    ): number {
      const without = failed ? '' : 'Failed'
      const kind = isRw ? 1 : 0
      return per === 'database'
        ? countOfKindIn.get(sandbox, database, kind, without)!
        : countOfKind.get(sandbox, kind, without)!
    },

    /** Id of the read-write workspace of a database; it has at most one. */
    readWriteOf: (sandbox: number, database: string) => readWrite.get(sandbox, database),
    remove: table.remover('id')
  }
}

/** @param next lists the workspaces after one, by workgroup and place */
function* pagesOf<W extends Pick<BriefWorkspace, 'workgroup' | 'place'>>(
  next: (workgroup: string, place: number) => W[]
): Generator<W[]> {
  let page = next('', 0)
  yield page
  while (page.length === PAGE) {
    const { workgroup, place } = page.at(-1)!
    page = next(workgroup, place)
    yield page
  }
}

/** Maximum number of deleted workspaces kept in a sandbox; the oldest go first. */
const MOST_DELETED = 1000

/** Workspaces as they were when they were deleted. */
const DELETED_WORKSPACES = {
  name: 'deleted_workspaces',
  key: ['workgroup', 'id'],
  fields: {
    workgroup: { type: Type.String() },
    id: { type: Type.String() },
    workspace: { type: Type.Unsafe<WorkspaceRecord>({ type: 'object' }) },
    /** In milliseconds since 1970. */
    deleted_at: { type: Type.Integer() }
  }
} as const

/** The deleted workspaces that a profile keeps readable. Every function takes the sandbox key first. */
export function deletedWorkspaceStore(db: Database) {
  const table = new Table(db, DELETED_WORKSPACES)
  const replace = table.replacer()
  const forget = table.pruner('deleted_at', MOST_DELETED)
  return {
    /** Keeps a workspace, and forgets those that were deleted by some time. */
    add(sandbox: number, workspace: WorkspaceRecord, deletedAt: number, forgetBy: number): void {
      const { workgroup, id } = workspace
      replace(sandbox, { workgroup, id, workspace, deletedAt })
      forget(sandbox, forgetBy)
    },

    find: table.finder('workgroup', 'id'),
    /** Finds one for a path that does not name its workgroup. */
    findAnywhere: table.finder('id')
  }
}
