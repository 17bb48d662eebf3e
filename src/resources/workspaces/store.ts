import type { Database } from '../../db/database.js'
import type { QuotaRule } from '../../profile/quotas.js'
import { toExtra, toExtraColumn, type WithExtra } from '../extra.js'

export interface WorkspaceRecord extends WithExtra {
  readonly id: string
  /** Id of its workgroup. */
  readonly workgroup: string
  /** Id of its database. */
  readonly database: string
  readonly name: string
  readonly creator: string
  readonly status: string
  readonly refreshStatus: string
  readonly refreshMessage: string
  /** For a read-only workspace: the time of the data that it shows. */
  readonly snapshotTime: string | null
  readonly svcVersion: string
  readonly versionNumber: number
  readonly typeName: string
  readonly isRw: boolean
  readonly enableHa: boolean
  readonly enableAutoStart: boolean
  /** 0: never. */
  readonly autoStopMinutes: number
  readonly addons: readonly unknown[]
  readonly agentConfig: Readonly<Record<string, unknown>>
  readonly solutionCatalogId: string | null
  /** When it became Active or last saw data-plane activity, in milliseconds since 1970. */
  readonly lastActive: number
  readonly createdAt: string
  readonly lastModifiedTime: string
}

/** A workspace with the fields it inherits from its workgroup. */
export interface FoundWorkspace extends WorkspaceRecord {
  readonly workgroupName: string
  readonly cloudProviderId: string
  readonly region: string
}

/** A row as an array in the order of {@link COLUMNS}: the driver creates arrays twice as fast as objects. */
type WorkspaceRow = readonly [
  id: string,
  workgroup: string,
  database: string,
  name: string,
  creator: string,
  status: string,
  refreshStatus: string,
  refreshMessage: string,
  snapshotTime: string | null,
  svcVersion: string,
  versionNumber: number,
  typeName: string,
  isRw: 0 | 1,
  enableHa: 0 | 1,
  enableAutoStart: 0 | 1,
  autoStopMinutes: number,
  addons: string,
  agentConfig: string,
  solutionCatalogId: string | null,
  lastActive: number,
  createdAt: string,
  lastModifiedTime: string,
  extra: string | null,
  workgroupName: string,
  cloudProviderId: string,
  region: string
]

/** The fields of a workspace that brief lists show. */
export interface BriefWorkspace extends Pick<
  WorkspaceRecord,
  'id' | 'workgroup' | 'database' | 'name' | 'status' | 'refreshStatus' | 'typeName' | 'svcVersion' | 'isRw'
> {
  /** Increases in order of creation. */
  readonly place: number
}

type BriefRow = readonly [
  id: string,
  workgroup: string,
  database: string,
  name: string,
  status: string,
  refreshStatus: string,
  typeName: string,
  svcVersion: string,
  isRw: 0 | 1,
  place: number
]

/** Sorts in order of creation. */
export const byCreation = (a: BriefWorkspace, b: BriefWorkspace): number => a.place - b.place

const COLUMNS = `w.id, w.workgroup, w.database, w.name, w.creator, w.status, w.refresh_status, w.refresh_message,
  w.snapshot_time, w.svc_version, w.version_number, w.type_name, w.is_rw, w.enable_ha, w.enable_auto_start,
  w.auto_stop_minutes, w.addons, w.agent_config, w.solution_catalog_id, w.last_active, w.created_at,
  w.last_modified_time, w.extra, g.name, g.cloud_provider_id, g.region`

type Column = string | number | null
type Count = { count: number }

/** Number of workspaces per statement when reading all of a sandbox. */
const PAGE = 1000

/** The rows of workspaces. Every method takes the sandbox key first; lists are in order of creation. */
export class WorkspaceStore {
  readonly #insert
  readonly #find
  readonly #findIn
  readonly #page
  readonly #briefPage
  readonly #listOfWorkgroup
  readonly #listOfDatabase
  readonly #countOfWorkgroup
  readonly #countOfDatabase
  readonly #countOfKind
  readonly #countOfKindIn
  readonly #readWrite
  readonly #save
  readonly #setExtra
  readonly #remove

  constructor(db: Database) {
    const select =
      `SELECT ${COLUMNS} FROM workspaces w JOIN workgroups g ON g.sandbox = w.sandbox AND g.id = ` + 'w.workgroup'
    this.#insert = db.prepare<Column[]>(
      `INSERT INTO workspaces (sandbox, id, workgroup, database, name, creator, status, refresh_status, refresh_message,
         snapshot_time, svc_version, version_number, type_name, is_rw, enable_ha, enable_auto_start,
           auto_stop_minutes, addons,
         agent_config, solution_catalog_id, last_active, created_at, last_modified_time, extra)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
    )
    this.#find = db.prepare<[number, string], WorkspaceRow>(`${select} WHERE w.sandbox = ? AND w.id = ?`).raw(true)
    this.#findIn = db
      .prepare<[number, string, string], WorkspaceRow>(`${select} WHERE w.sandbox = ? AND w.id = ? AND w.workgroup = ?`)
      .raw(true)
    // The rowid follows the columns of a row, and the mapper ignores it.
    this.#page = db
      .prepare<[number, string, number, number], [...WorkspaceRow, place: number]>(
        `${select.replace(COLUMNS, `${COLUMNS}, w.rowid`)} WHERE w.sandbox = ? AND (w.workgroup, w.rowid) > (?, ?)
         ORDER BY w.workgroup, w.rowid LIMIT ?`
      )
      .raw(true)
    this.#briefPage = db
      .prepare<[number, string, number, number], BriefRow>(
        `SELECT id, workgroup, database, name, status, refresh_status, type_name, svc_version, is_rw, rowid
           FROM workspaces WHERE sandbox = ? AND (workgroup, rowid) > (?, ?) ORDER BY workgroup, rowid LIMIT ?`
      )
      .raw(true)
    this.#listOfWorkgroup = db
      .prepare<[number, string], WorkspaceRow>(`${select} WHERE w.sandbox = ? AND w.workgroup = ? ORDER BY w.rowid`)
      .raw(true)
    this.#listOfDatabase = db
      .prepare<[number, string], WorkspaceRow>(`${select} WHERE w.sandbox = ? AND w.database = ? ORDER BY w.rowid`)
      .raw(true)
    this.#countOfWorkgroup = db.prepare<[number, string], Count>(
      'SELECT count(*) AS count FROM workspaces WHERE sandbox = ? AND workgroup = ?'
    )
    this.#countOfDatabase = db.prepare<[number, string], Count>(
      'SELECT count(*) AS count FROM workspaces WHERE sandbox = ? AND database = ?'
    )
    this.#countOfKind = db.prepare<[number, 0 | 1, string], Count>(
      'SELECT count(*) AS count FROM workspaces WHERE sandbox = ? AND is_rw = ? AND status <> ?'
    )
    this.#countOfKindIn = db.prepare<[number, string, 0 | 1, string], Count>(
      'SELECT count(*) AS count FROM workspaces WHERE sandbox = ? AND database = ? AND is_rw = ? AND status <> ?'
    )
    this.#readWrite = db.prepare<[number, string], { id: string }>(
      'SELECT id FROM workspaces WHERE sandbox = ? AND database = ? AND is_rw = 1'
    )
    this.#save = db.prepare<Column[]>(
      `UPDATE workspaces SET name = ?, status = ?, refresh_status = ?, refresh_message = ?, snapshot_time = ?,
         version_number = ?,
         type_name = ?, enable_ha = ?, enable_auto_start = ?, auto_stop_minutes = ?, addons = ?,
           agent_config = ?, last_active = ?,
         last_modified_time = ?
       WHERE sandbox = ? AND id = ?`
    )
    this.#setExtra = db.prepare<[string | null, number, string]>(
      'UPDATE workspaces SET extra = ? WHERE sandbox = ? AND id = ?'
    )
    this.#remove = db.prepare<[number, string]>('DELETE FROM workspaces WHERE sandbox = ? AND id = ?')
  }

  insert(sandbox: number, workspace: WorkspaceRecord): void {
    const { id, workgroup, database, name, creator, status, refreshStatus, refreshMessage, snapshotTime, svcVersion } =
      workspace
    const { versionNumber, typeName, autoStopMinutes, solutionCatalogId, lastActive, createdAt, lastModifiedTime } =
      workspace
    // By position: the driver takes twice as long to bind values by name.
    this.#insert.run(
      sandbox,
      id,
      workgroup,
      database,
      name,
      creator,
      status,
      refreshStatus,
      refreshMessage,
      snapshotTime,
      svcVersion,
      versionNumber,
      typeName,
      toBit(workspace.isRw),
      toBit(workspace.enableHa),
      toBit(workspace.enableAutoStart),
      autoStopMinutes,
      JSON.stringify(workspace.addons),
      JSON.stringify(workspace.agentConfig),
      solutionCatalogId,
      lastActive,
      createdAt,
      lastModifiedTime,
      toExtraColumn(workspace)
    )
  }

  find(sandbox: number, id: string): FoundWorkspace | undefined {
    const row = this.#find.get(sandbox, id)
    return row === undefined ? undefined : toRecord(row)
  }

  /** Finds a workspace in one workgroup. */
  findIn(sandbox: number, workgroup: string, id: string): FoundWorkspace | undefined {
    const row = this.#findIn.get(sandbox, id, workgroup)
    return row === undefined ? undefined : toRecord(row)
  }

  /** All workspaces of a sandbox, page by page, grouped by workgroup and in order of creation. */
  *pages(sandbox: number): Generator<FoundWorkspace[]> {
    for (let workgroup = '', place = 0; ;) {
      const rows = this.#page.all(sandbox, workgroup, place, PAGE)
      const page = rows.map((row) => toRecord(row as unknown as WorkspaceRow))
      yield page
      if (rows.length < PAGE) return
      workgroup = page.at(-1)!.workgroup
      place = rows.at(-1)!.at(-1) as number
    }
  }

  /** A few columns of all workspaces, page by page like {@link pages}; much faster than reading all columns. */
  *briefPages(sandbox: number): Generator<BriefWorkspace[]> {
    for (let last = ['', 0] as [string, number]; ;) {
      const rows = this.#briefPage.all(sandbox, ...last, PAGE)
      yield rows.map(([id, workgroup, database, name, status, refreshStatus, typeName, svcVersion, isRw, place]) => ({
        id,
        workgroup,
        database,
        name,
        status,
        refreshStatus,
        typeName,
        svcVersion,
        isRw: isRw === 1,
        place
      }))
      if (rows.length < PAGE) return
      const [, workgroup, , , , , , , , place] = rows.at(-1)!
      last = [workgroup, place]
    }
  }

  /** All of {@link briefPages}, in order of creation. */
  listBrief(sandbox: number): BriefWorkspace[] {
    return [...this.briefPages(sandbox)].flat().sort(byCreation)
  }

  listOfWorkgroup(sandbox: number, workgroup: string): FoundWorkspace[] {
    return this.#listOfWorkgroup.all(sandbox, workgroup).map(toRecord)
  }

  listOfDatabase(sandbox: number, database: string): FoundWorkspace[] {
    return this.#listOfDatabase.all(sandbox, database).map(toRecord)
  }

  countOfWorkgroup(sandbox: number, workgroup: string): number {
    return this.#countOfWorkgroup.get(sandbox, workgroup)!.count
  }

  countOfDatabase(sandbox: number, database: string): number {
    return this.#countOfDatabase.get(sandbox, database)!.count
  }

  /** Number of read-write or read-only workspaces that count for a quota, where a database is to get one more. */
  countFor(
    sandbox: number,
    isRw: boolean,
    { per, failed }: Pick<QuotaRule, 'per' | 'failed'>,
    database: string
  ): number {
    const without = failed ? '' : 'Failed'
    return per === 'database'
      ? this.#countOfKindIn.get(sandbox, database, toBit(isRw), without)!.count
      : this.#countOfKind.get(sandbox, toBit(isRw), without)!.count
  }

  /** Id of the read-write workspace of a database. */
  readWriteOf(sandbox: number, database: string): string | undefined {
    return this.#readWrite.get(sandbox, database)?.id
  }

  /** Stores all fields of a workspace that can change. */
  save(sandbox: number, workspace: WorkspaceRecord): void {
    const {
      id,
      name,
      status,
      refreshStatus,
      refreshMessage,
      snapshotTime,
      versionNumber,
      typeName,
      autoStopMinutes,
      lastActive
    } = workspace
    this.#save.run(
      name,
      status,
      refreshStatus,
      refreshMessage,
      snapshotTime,
      versionNumber,
      typeName,
      toBit(workspace.enableHa),
      toBit(workspace.enableAutoStart),
      autoStopMinutes,
      JSON.stringify(workspace.addons),
      JSON.stringify(workspace.agentConfig),
      lastActive,
      workspace.lastModifiedTime,
      sandbox,
      id
    )
  }

  setExtra(sandbox: number, id: string, extra: WithExtra['extra']): void {
    this.#setExtra.run(toExtraColumn({ extra }), sandbox, id)
  }

  remove(sandbox: number, id: string): void {
    this.#remove.run(sandbox, id)
  }
}

const toBit = (value: boolean) => (value ? 1 : 0)

function toRecord(row: WorkspaceRow): FoundWorkspace {
  const [
    id,
    workgroup,
    database,
    name,
    creator,
    status,
    refreshStatus,
    refreshMessage,
    snapshotTime,
    svcVersion,
    versionNumber,
    typeName,
    isRw,
    enableHa,
    enableAutoStart,
    autoStopMinutes,
    addons,
    agentConfig,
    solutionCatalogId,
    lastActive,
    createdAt,
    lastModifiedTime,
    extra,
    workgroupName,
    cloudProviderId,
    region
  ] = row
  return {
    id,
    workgroup,
    database,
    name,
    creator,
    status,
    refreshStatus,
    refreshMessage,
    snapshotTime,
    svcVersion,
    versionNumber,
    typeName,
    isRw: isRw === 1,
    enableHa: enableHa === 1,
    enableAutoStart: enableAutoStart === 1,
    autoStopMinutes,
    addons: JSON.parse(addons) as unknown[],
    agentConfig: JSON.parse(agentConfig) as Record<string, unknown>,
    solutionCatalogId,
    lastActive,
    createdAt,
    lastModifiedTime,
    extra: toExtra(extra),
    workgroupName,
    cloudProviderId,
    region
  }
}
