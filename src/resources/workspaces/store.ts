import type { Database } from '../../db/database.js'

/** A workspace. */
export interface WorkspaceRecord {
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
  /** Of a read-only workspace: the moment whose data it shows. */
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

/** A workspace as it is found, with what it takes over from its workgroup. */
export interface FoundWorkspace extends WorkspaceRecord {
  readonly workgroupName: string
  readonly cloudProviderId: string
  readonly region: string
}

interface WorkspaceRow extends Omit<FoundWorkspace, 'isRw' | 'enableHa' | 'enableAutoStart' | 'addons' | 'agentConfig'> {
  isRw: 0 | 1
  enableHa: 0 | 1
  enableAutoStart: 0 | 1
  addons: string
  agentConfig: string
}

type Count = { count: number }

/** How many workspaces one statement reads, where all of a sandbox are read. */
const PAGE = 1000

/** The rows of workspaces. Every method takes the key of the sandbox first; lists are in the order of creation. */
export class WorkspaceStore {
  readonly #insert
  readonly #find
  readonly #list
  readonly #page
  readonly #listOfWorkgroup
  readonly #listOfDatabase
  readonly #countOfWorkgroup
  readonly #countOfDatabase
  readonly #countOfKind
  readonly #readWrite
  readonly #save
  readonly #remove

  constructor(db: Database) {
    const select = `
      SELECT w.id, w.workgroup, w.database, w.name, w.creator, w.status, w.refresh_status AS refreshStatus,
        w.refresh_message AS refreshMessage, w.snapshot_time AS snapshotTime, w.svc_version AS svcVersion,
        w.version_number AS versionNumber, w.type_name AS typeName, w.is_rw AS isRw, w.enable_ha AS enableHa,
        w.enable_auto_start AS enableAutoStart, w.auto_stop_minutes AS autoStopMinutes, w.addons, w.agent_config AS agentConfig,
        w.solution_catalog_id AS solutionCatalogId, w.last_active AS lastActive, w.created_at AS createdAt,
        w.last_modified_time AS lastModifiedTime, g.name AS workgroupName, g.cloud_provider_id AS cloudProviderId, g.region
      FROM workspaces w JOIN workgroups g ON g.sandbox = w.sandbox AND g.id = w.workgroup`
    this.#insert = db.prepare<[Record<string, unknown>]>(
      `INSERT INTO workspaces (sandbox, id, workgroup, database, name, creator, status, refresh_status, refresh_message,
         snapshot_time, svc_version, version_number, type_name, is_rw, enable_ha, enable_auto_start, auto_stop_minutes, addons,
         agent_config, solution_catalog_id, last_active, created_at, last_modified_time)
       VALUES (@sandbox, @id, @workgroup, @database, @name, @creator, @status, @refreshStatus, @refreshMessage,
         @snapshotTime, @svcVersion, @versionNumber, @typeName, @isRw, @enableHa, @enableAutoStart, @autoStopMinutes, @addons,
         @agentConfig, @solutionCatalogId, @lastActive, @createdAt, @lastModifiedTime)`)
    this.#find = db.prepare<[number, string], WorkspaceRow>(`${select} WHERE w.sandbox = ? AND w.id = ?`)
    this.#list = db.prepare<[number], WorkspaceRow>(`${select} WHERE w.sandbox = ? ORDER BY w.rowid`)
    this.#page = db.prepare<[number, string, number, number], WorkspaceRow & { place: number }>(
      `${select.replace('SELECT', 'SELECT w.rowid AS place,')} WHERE w.sandbox = ? AND (w.workgroup, w.rowid) > (?, ?)
         ORDER BY w.workgroup, w.rowid LIMIT ?`)
    this.#listOfWorkgroup = db.prepare<[number, string], WorkspaceRow>(
      `${select} WHERE w.sandbox = ? AND w.workgroup = ? ORDER BY w.rowid`)
    this.#listOfDatabase = db.prepare<[number, string], WorkspaceRow>(
      `${select} WHERE w.sandbox = ? AND w.database = ? ORDER BY w.rowid`)
    this.#countOfWorkgroup = db.prepare<[number, string], Count>(
      'SELECT count(*) AS count FROM workspaces WHERE sandbox = ? AND workgroup = ?')
    this.#countOfDatabase = db.prepare<[number, string], Count>(
      'SELECT count(*) AS count FROM workspaces WHERE sandbox = ? AND database = ?')
    this.#countOfKind = db.prepare<[number, 0 | 1], Count>('SELECT count(*) AS count FROM workspaces WHERE sandbox = ? AND is_rw = ?')
    this.#readWrite = db.prepare<[number, string], { id: string }>(
      'SELECT id FROM workspaces WHERE sandbox = ? AND database = ? AND is_rw = 1')
    this.#save = db.prepare<[Record<string, unknown>]>(
      `UPDATE workspaces SET name = @name, status = @status, refresh_status = @refreshStatus, refresh_message = @refreshMessage,
         snapshot_time = @snapshotTime, version_number = @versionNumber, type_name = @typeName, enable_ha = @enableHa,
         enable_auto_start = @enableAutoStart, auto_stop_minutes = @autoStopMinutes, addons = @addons,
         agent_config = @agentConfig, last_active = @lastActive, last_modified_time = @lastModifiedTime
       WHERE sandbox = @sandbox AND id = @id`)
    this.#remove = db.prepare<[number, string]>('DELETE FROM workspaces WHERE sandbox = ? AND id = ?')
  }

  insert(sandbox: number, workspace: WorkspaceRecord): void {
    this.#insert.run(toColumns(sandbox, workspace))
  }

  find(sandbox: number, id: string): FoundWorkspace | undefined {
    const row = this.#find.get(sandbox, id)
    return row === undefined ? undefined : toRecord(row)
  }

  /** A workspace of one workgroup. */
  findIn(sandbox: number, workgroup: string, id: string): FoundWorkspace | undefined {
    const workspace = this.find(sandbox, id)
    return workspace?.workgroup === workgroup ? workspace : undefined
  }

  list(sandbox: number): FoundWorkspace[] {
    return this.#list.all(sandbox).map(toRecord)
  }

  /** All of a sandbox, page by page: those of a workgroup come together, in the order of creation. */
  *pages(sandbox: number): Generator<FoundWorkspace[]> {
    for (let after: { workgroup: string; place: number } | undefined = { workgroup: '', place: 0 }; after !== undefined;) {
      const rows: (WorkspaceRow & { place: number })[] = this.#page.all(sandbox, after.workgroup, after.place, PAGE)
      yield rows.map(toRecord)
      after = rows.length < PAGE ? undefined : rows.at(-1)
    }
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

  /** How many read-write or read-only ones a sandbox has. */
  countOfKind(sandbox: number, isRw: boolean): number {
    return this.#countOfKind.get(sandbox, isRw ? 1 : 0)!.count
  }

  /** Id of the read-write workspace of a database. */
  readWriteOf(sandbox: number, database: string): string | undefined {
    return this.#readWrite.get(sandbox, database)?.id
  }

  /** Stores everything about a workspace that can change. */
  save(sandbox: number, workspace: WorkspaceRecord): void {
    this.#save.run(toColumns(sandbox, workspace))
  }

  remove(sandbox: number, id: string): void {
    this.#remove.run(sandbox, id)
  }
}

function toColumns(sandbox: number, workspace: WorkspaceRecord): Record<string, unknown> {
  return {
    ...workspace,
    sandbox,
    isRw: workspace.isRw ? 1 : 0,
    enableHa: workspace.enableHa ? 1 : 0,
    enableAutoStart: workspace.enableAutoStart ? 1 : 0,
    addons: JSON.stringify(workspace.addons),
    agentConfig: JSON.stringify(workspace.agentConfig)
  }
}

function toRecord(row: WorkspaceRow): FoundWorkspace {
  return {
    ...row,
    isRw: row.isRw === 1,
    enableHa: row.enableHa === 1,
    enableAutoStart: row.enableAutoStart === 1,
    addons: JSON.parse(row.addons) as unknown[],
    agentConfig: JSON.parse(row.agentConfig) as Record<string, unknown>
  }
}
