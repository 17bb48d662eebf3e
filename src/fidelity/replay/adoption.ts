import type { TSchema } from '@sinclair/typebox'
import { isObject, type Json } from '../../lib/json.js'
import { isPlainTimestamp, parseTimestamp, toTimestamp } from '../../lib/time.js'
import { ORG_ROLES } from '../../profile/org-roles.js'
import type { StateKind } from '../../profile/states.js'
import { RESTORE_STEP } from '../../resources/backups/lifecycle.js'
import type { CatalogueList } from '../../resources/comparable.js'
import { STATES } from '../../resources/states.js'
import { AUTO_STOP_FIELD } from '../../resources/workspaces/fields.js'
import { AUTO_STOP, WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import { addedField, extraIn } from '../added-fields.js'
import type { Call } from '../api.js'
import { CHOSEN, comparableOf } from '../comparables.js'
import type { OtherValue, Unmatched } from '../comparison.js'
import type { Exchange } from '../exchange.js'
import type { Editable, Item, WorkgroupItem, WorkspaceItem } from '../twin.js'
import { resultOf, type Session } from './session.js'
import { runningIn } from './transitions.js'

// Resources that a recording shows without their creation were there before. The mock gets them as they are shown, with
// the ids that the service has for them, as part of its state document.

/** Takes over items of a list. @returns whether the mock has got any */
export function adoptItems(session: Session, exchange: Exchange, items: readonly Unmatched[]): Promise<boolean> {
  // Each change of the document makes the mock forget deleted workspaces that are readable.
  if (items.length === 0) return Promise.resolve(false)
  return edit(session, exchange, (writer) => {
    for (const { schema, item } of items) writer.add(schema, item, {})
  })
}

/** Takes over what a request names, and what its reply shows. */
export function adoptPath(session: Session, exchange: Exchange, call: Call): Promise<boolean> {
  const { operation, params } = call
  const schema = session.names.api.resolve(session.names.api.resultSchema(operation))
  return edit(session, exchange, (writer) => {
    const result = resultOf(exchange.body)
    const isShown =
      exchange.method === 'GET' && exchange.status! < 400 && isObject(result) && !writer.hasHad(schema?.name, result)
    if (isShown) writer.add(schema?.name, result, params)
    writer.place(params, operation)
    // Parts of a workspace need it first.
    if (isShown && !writer.hasChanged && !writer.hasBound) writer.add(schema?.name, result, params)
    const { svc_database_id: database, backup_id: backup } = isObject(exchange.requestBody) ? exchange.requestBody : {}
    if (typeof database === 'string') writer.placeDatabase(database, params)
    if (typeof backup === 'string') writer.add('Backup', { id: backup, is_automatic: false }, params)
  })
}

/** Takes over the users of the org: those of the mock are not theirs. */
export function adoptOrgUsers(session: Session, exchange: Exchange): Promise<boolean> {
  const users = resultOf(exchange.body)
  if (!Array.isArray(users)) return Promise.resolve(false)
  return edit(session, exchange, (writer) => writer.replaceOrgUsers(users.filter(isObject)))
}

/** Puts workspaces of the mock into the states that the service shows, although they could not get there. */
export function setStates(
  session: Session,
  exchange: Exchange,
  states: readonly { readonly kind: StateKind; readonly id: string; readonly state: string }[]
): Promise<boolean> {
  // How long a transition takes that has been interrupted here says nothing.
  for (const { id } of states) session.timing.forget(id)
  return edit(session, exchange, (writer) => {
    for (const { kind, id, state } of states) writer.setState(kind, id, state)
  })
}

/** Gives resources of the mock the values that the service shows. */
export function setValues(session: Session, exchange: Exchange, values: readonly OtherValue[]): Promise<boolean> {
  return edit(session, exchange, (writer) => {
    for (const value of values) writer.setValue(value)
  })
}

/** Removes from the mock what the service does not have. */
export function removeItems(session: Session, exchange: Exchange, ids: readonly string[]): Promise<boolean> {
  return edit(session, exchange, (writer) => writer.remove(new Set(ids)))
}

async function edit(session: Session, exchange: Exchange, change: (writer: Writer) => void): Promise<boolean> {
  let added: readonly string[] = []
  let hasBound = false
  const { hasChanged, refused } = await session.twin.edit((document) => {
    const writer = new Writer(session, exchange, document)
    change(writer)
    added = writer.added
    hasBound = writer.hasBound
    return writer.hasChanged
  })
  for (const reason of refused) session.refused.push(`exchange ${exchange.number}: ${reason}`)
  if (!hasChanged) return hasBound
  for (const id of added) {
    session.names.bindings.rebind(id, id)
    session.adopted.add(id)
    session.unordered.add(id)
  }
  return true
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value.slice(0, 256) : undefined)
const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined)
const whole = (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
const timestamp = (value: unknown) => (typeof value === 'string' && isPlainTimestamp(value) ? value : undefined)

const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** A value of a reply as a state document has it; undefined where a document would refuse it. */
function readAs(schema: TSchema, value: unknown): unknown {
  switch (schema['type']) {
    case 'string':
      return schema['format'] === 'timestamp' ? timestamp(value) : text(value)
    case 'boolean':
      return flag(value)
    case 'integer':
      return whole(value)
    case 'array':
      return listIn(value)
    default:
      return isObject(value) ? value : undefined
  }
}

/** Without the fields that are undefined. */
const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>
  }

/** Changes a state document so that it has what a reply shows. */
class Writer {
  readonly added: string[] = []
  hasChanged = false
  /** Whether an id of the service now stands for one of the mock. */
  hasBound = false
  readonly #session: Session
  readonly #exchange: Exchange
  readonly #document: Editable

  constructor(session: Session, exchange: Exchange, document: Editable) {
    this.#session = session
    this.#exchange = exchange
    this.#document = document
  }

  /** Whether the mock has had a resource, so that it must have removed it if it does not have it any more. */
  hasHad(schema: string | undefined, item: Json): boolean {
    const { identity } = comparableOf(schema)
    if (identity === undefined) return false
    return this.#session.names.bindings.oursFor(this.#session.textOf(item, identity)) !== undefined
  }

  /** Makes sure that there is what a path names, unless the mock has had it. */
  place({ workgroupID, workspaceID, databaseID }: Call['params'], operation: string): void {
    const isNew = (id: string) => this.#session.names.bindings.oursFor(id) === undefined
    const shown = this.#session.shown.resources
    if (workspaceID !== undefined && isNew(workspaceID)) {
      const workgroup = workgroupID ?? text(this.#session.fieldOf(shown.get(workspaceID) ?? {}, 'workgroup_id'))
      const made = this.#workspace({}, workspaceID, this.#workgroup({}, workgroup ?? `of-${workspaceID}`.slice(0, 36)))
      if (operation === 'resumeWorkspace') made.status = this.#session.profile.words.workspace.toWire('Stopped')
    } else if (workgroupID !== undefined && isNew(workgroupID)) this.#workgroup({}, workgroupID)
    if (databaseID !== undefined && workgroupID !== undefined) this.placeDatabase(databaseID, { workgroupID })
  }

  /** Makes sure that there is a database, unless the mock has had it. */
  placeDatabase(id: string, { workgroupID }: Call['params']): void {
    if (workgroupID === undefined || this.#session.names.bindings.oursFor(id) !== undefined) return
    this.#database({}, id, this.#workgroup({}, workgroupID))
  }

  /** Adds a resource as a reply shows it. */
  add(schema: string | undefined, item: Json, params: Call['params']): void {
    const field = (name: string) => this.#session.fieldOf(item, name)
    const workspace = this.#findWorkspace(this.#session.oursFor(params['workspaceID'] ?? this.#params('workspaceID')))
    const id = text(field('id'))
    if (schema === 'Workgroup') this.#workgroup(item, String(field('workgroup_id')))
    else if (schema === 'SvcDatabase' || schema === 'Workspace') {
      const workgroup = this.#workgroup({}, String(field('workgroup_id')), item)
      if (schema === 'Workspace') this.#workspace(item, String(field('workspace_id')), workgroup)
      else this.#database(item, String(field('database_id')), workgroup)
    } else if (schema === 'AllowedIP') {
      const workgroup = this.#findWorkgroup(this.#session.oursFor(params['workgroupID'] ?? this.#params('workgroupID')))
      const entry = this.#carried('AllowedIP', field)
      if (workgroup === undefined || id === undefined || entry['cidr'] === undefined) return
      const list = (workgroup.allow_list ??= {})
      ;(list.entries ??= []).push(defined({ id, ...entry }))
      this.#note(id)
    } else if (workspace !== undefined) this.#addTo(workspace, schema, item, id)
  }

  #addTo(workspace: WorkspaceItem, schema: string | undefined, item: Json, id: string | undefined): void {
    const field = (name: string) => this.#session.fieldOf(item, name)
    if (schema === 'Backup' && id !== undefined) {
      const backup = {
        id,
        status: this.#state('backup', field('status')),
        ...this.#carried('Backup', field)
      }
      ;(workspace.backups ??= []).push(defined(backup))
      if (this.#stateOf('backup', field('status')) === 'Running')
        this.#hold('backup.run', workspace.id!, { backup: id })
      this.#note(id)
    } else if (schema === 'svcIAM.IAMUser' && id !== undefined) {
      const username = text(field('username')) ?? id
      ;(workspace.users ??= []).push({ id, username, password: 'unknown', ...this.#carried(schema, field) })
      this.#note(id)
    } else if (schema === 'WorkspaceSchedule' && id !== undefined) {
      const { workspace_id: _, ...schedule } = this.#withExtra(schema, item)
      ;(workspace.schedules ??= []).push(schedule)
      this.#note(id)
    } else if (schema === 'BackupSchedule') {
      workspace.backup_schedule = this.#withExtra(schema, item)
      this.hasChanged = true
    } else if (schema === 'BackupRestoreStatus') {
      const job = text(field('name'))
      if (job === undefined) return
      // The mock has begun it, too, if the reply that has its id is not known.
      const { bindings } = this.#session.names
      const own = workspace.restore_jobs?.find(({ id: known = '' }) => bindings.theirsFor(known) === undefined)
      if (own?.id !== undefined) {
        bindings.rebind(own.id, job)
        this.hasBound = true
        return
      }
      const status = this.#state('restore_job', field('status'))
      ;(workspace.restore_jobs ??= []).push(defined({ id: job, status, ...this.#carried(schema, field) }))
      this.#note(job)
    }
  }

  replaceOrgUsers(users: readonly Json[]): void {
    const { values } = this.#session.profile.names
    this.#document.org_users = users.map((user) => {
      const field = (name: string) => this.#session.fieldOf(user, name)
      const roles = field('roles')
      const names = Array.isArray(roles)
        ? roles.filter(isObject).map((role) => values.fromWire(String(this.#session.fieldOf(role, 'name'))))
        : []
      // Those that only the service has are in the comparison.
      const known = names.filter((name) => Object.hasOwn(ORG_ROLES, name))
      const email = text(field('email')) ?? ''
      const id = text(field('id'))
      if (id !== undefined) this.#note(id)
      return defined({
        id,
        email: email.includes('@') ? email : `${id}@svc.test`,
        enabled: flag(field('enabled')),
        ...this.#carried('org_handler.OrgListUserResponse', field),
        roles: known.length === 0 ? ['workspace-member'] : known
      })
    })
  }

  setState(kind: StateKind, id: string, state: string): void {
    const workspace = this.#findWorkspace(id)
    if (workspace === undefined || (kind !== 'workspace' && kind !== 'refresh')) return
    const word = this.#session.profile.words[kind].toWire(state)
    if (!STATES[kind].includes(state) || state === 'gone' || state === 'Restoring') return
    if (kind === 'workspace') workspace.status = word
    else workspace.refresh_status = word
    const names = new Set([kind === 'refresh' ? 'workspace.refresh' : '', ...(kind === 'workspace' ? OF_STATUS : [])])
    this.#document.events = (this.#document.events ?? []).filter(
      ({ event, workspace_id: owner }) => owner !== id || !names.has(event)
    )
    const running = runningIn(kind, state)
    if (running !== undefined) this.#hold(running.name, id)
    this.hasChanged = true
  }

  setValue({ schema, item, field, theirs }: OtherValue): void {
    const target = this.#findResource(schema, item)
    const own = { workspace_type: 'workspace_type_name' }[field] ?? field
    if (target !== undefined && addedField(this.#session.profile, schema, field) !== undefined) {
      target['extra'] = { ...(target['extra'] as object | undefined), [field]: theirs }
      this.hasChanged = true
      return
    }
    if (target === undefined || typeof target[own] !== typeof theirs) return
    const list = CHOSEN[own]
    target[own] = list === undefined ? theirs : this.#chosen(list, theirs)
    this.hasChanged = true
    if (own !== AUTO_STOP_FIELD || target['status'] !== this.#session.profile.words.workspace.toWire('Active')) return
    const since = parseTimestamp(String(target['last_active']))
    const events = (this.#document.events ??= [])
    if (theirs !== 0 && since !== undefined)
      events.push({
        event: 'workspace.auto-stop',
        workspace_id: String(target['id']),
        due: toTimestamp(since + Number(theirs) * 60_000)
      })
  }

  #findResource(schema: string, item: Json): Item | undefined {
    const id = (name: string) => String(this.#session.fieldOf(item, name))
    if (schema === 'Workspace') return this.#findWorkspace(id('workspace_id'))
    const workgroup = this.#findWorkgroup(id('workgroup_id'))
    if (schema === 'Workgroup') return workgroup
    return workgroup?.databases?.find((database) => database.id === id('database_id'))
  }

  remove(ids: ReadonlySet<string>): void {
    const keep = ({ id }: { id?: string | undefined }) => !ids.has(id ?? '')
    const document = this.#document
    document.workgroups = (document.workgroups ?? []).filter(keep)
    for (const workgroup of document.workgroups) {
      if (workgroup.allow_list?.entries !== undefined)
        workgroup.allow_list.entries = workgroup.allow_list.entries.filter(keep)
      workgroup.workspaces = (workgroup.workspaces ?? []).filter(keep)
      workgroup.databases = (workgroup.databases ?? []).filter(
        (database) =>
          keep(database) &&
          !workgroup.workspaces!.every(({ database: own }) => own === database.id && ids.has(own ?? ''))
      )
      for (const workspace of workgroup.workspaces) {
        if (workspace.backups !== undefined) workspace.backups = workspace.backups.filter(keep)
        if (workspace.users !== undefined) workspace.users = workspace.users.filter(keep)
        if (workspace.schedules !== undefined) workspace.schedules = workspace.schedules.filter(keep)
      }
    }
    const left = new Set(document.workgroups.flatMap(({ workspaces = [] }) => workspaces.map(({ id }) => id)))
    document.events = (document.events ?? []).filter(({ workspace_id: owner }) => left.has(owner))
    this.hasChanged = true
  }

  /** @param part a workspace or a database of it, which shows some of its values */
  #workgroup(item: Json, id: string, part: Json = {}): WorkgroupItem {
    const field = (name: string) => this.#session.fieldOf(item, name)
    let workgroup = this.#findWorkgroup(this.#session.oursFor(id))
    if (workgroup === undefined) {
      const whole = this.#session.shown.resources.get(id) ?? {}
      const known = (name: string, inPart = name) =>
        field(name) ?? this.#session.fieldOf(whole, name) ?? this.#session.fieldOf(part, inPart)
      workgroup = defined({
        id,
        name: text(known('name', 'workgroup_name')),
        cloud_provider_id: text(known('cloud_provider_id')),
        platform: this.#chosen('platforms', known('platform')),
        region: this.#chosen('regions', known('region')),
        allow_list: { enabled: flag(known('enable_allow_list')) ?? false, entries: [] },
        ...extraIn(this.#session.profile, 'Workgroup', (name) => known(name)),
        databases: [],
        workspaces: []
      })
      ;(this.#document.workgroups ??= []).push(workgroup)
      this.#note(id)
    }
    for (const database of listIn(field('svc_databases')))
      this.#database(database, String(this.#session.fieldOf(database, 'database_id')), workgroup)
    for (const workspace of listIn(field('workspaces')))
      this.#workspace(workspace, String(this.#session.fieldOf(workspace, 'workspace_id')), workgroup)
    return workgroup
  }

  #database(item: Json, id: string, workgroup: WorkgroupItem): Item {
    const shown = this.#session.shown.resources.get(id) ?? {}
    const field = (name: string) => this.#session.fieldOf(item, name) ?? this.#session.fieldOf(shown, name)
    const databases = (workgroup.databases ??= [])
    let database = databases.find((one) => one.id === this.#session.oursFor(id))
    if (database === undefined) {
      database = defined({ id, ...this.#carried('SvcDatabase', field) })
      databases.push(database)
      this.#note(id)
    }
    for (const workspace of listIn(this.#session.fieldOf(item, 'workspaces')))
      this.#workspace(workspace, String(this.#session.fieldOf(workspace, 'workspace_id')), workgroup)
    return database
  }

  #workspace(item: Json, id: string, workgroup: WorkgroupItem): WorkspaceItem {
    const known = this.#findWorkspace(this.#session.oursFor(id))
    if (known !== undefined) return known
    const shown = this.#session.shown.resources.get(id) ?? {}
    const field = (name: string) => this.#session.fieldOf(item, name) ?? this.#session.fieldOf(shown, name)
    const isSure = this.#session.fieldOf(item, 'status') !== undefined
    if (!isSure) this.#session.unsure.add(id)
    const type = field('workspace_type')
    const database = text(field('database_id')) ?? `${id}-database`.slice(0, 36)
    this.#database({}, database, workgroup)
    const state = (isSure ? this.#stateOf('workspace', field('status')) : undefined) ?? 'Active'
    const workspace = defined({
      id,
      database: this.#session.oursFor(database),
      status: this.#session.profile.words.workspace.toWire(state === 'Restoring' ? 'Active' : state),
      refresh_status: isSure ? this.#state('refresh', field('refresh_status')) : undefined,
      workspace_type_name: this.#chosen(
        'workspace_types',
        isObject(type) ? this.#session.fieldOf(type, 'typeName') : ''
      ),
      ...this.#carried('Workspace', field)
    })
    ;(workgroup.workspaces ??= []).push(workspace)
    const running = runningIn('workspace', state)
    if (running !== undefined && state !== 'Restoring') this.#hold(running.name, id)
    if (isSure && this.#stateOf('refresh', field('refresh_status')) === 'Refreshing')
      this.#hold('workspace.refresh', id)
    this.#note(id)
    return workspace
  }

  #hold(event: string, workspace: string, payload: Json = {}): void {
    ;(this.#document.events ??= []).push({ event, workspace_id: workspace, due: null, payload })
  }

  #findWorkgroup(id: string): WorkgroupItem | undefined {
    return (this.#document.workgroups ?? []).find((one) => one.id === id)
  }

  #findWorkspace(id: string): WorkspaceItem | undefined {
    for (const { workspaces = [] } of this.#document.workgroups ?? []) {
      const found = workspaces.find((one) => one.id === id)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** An id in the path of the request. */
  #params(name: string): string {
    return this.#session.names.api.recognise(this.#exchange)?.params[name] ?? ''
  }

  #stateOf(kind: StateKind, word: unknown): string | undefined {
    return typeof word === 'string' ? this.#session.names.states.stateOf(kind, word) : undefined
  }

  #state(kind: StateKind, word: unknown): string | undefined {
    const state = this.#stateOf(kind, word)
    return state === undefined ? undefined : this.#session.profile.words[kind].toWire(state)
  }

  /** A reply as a state document has it, with the fields that the profile adds in a place of their own. */
  #withExtra(schema: string, item: Json): Record<string, unknown> {
    const { fields, names } = this.#session.profile
    const added = (fields.answered.get(schema) ?? []).map(({ name }) => names.fields.toWire(name))
    const own = Object.entries(item).filter(([name]) => !added.includes(name))
    return { ...Object.fromEntries(own), ...this.#carried(schema, (name) => this.#session.fieldOf(item, name)) }
  }

  /** What the resources of a schema have under the same names in a state document. */
  #carried(schema: string, fieldOf: (name: string) => unknown): Readonly<Record<string, unknown>> {
    const { carried = [] } = comparableOf(schema)
    const fields = carried.map(({ field, schema: own, list }) => {
      const value = fieldOf(field)
      return [field, list === undefined ? readAs(own, value) : this.#chosen(list, value)] as const
    })
    return { ...Object.fromEntries(fields), ...extraIn(this.#session.profile, schema, fieldOf) }
  }

  #chosen(list: CatalogueList, name: unknown): string | undefined {
    return typeof name === 'string' && name !== '' ? this.#session.names.catalogue.toOurs(list, name) : undefined
  }

  #note(id: string): void {
    this.added.push(id)
    this.hasChanged = true
  }
}

/** The events that change the status of a workspace. */
const OF_STATUS = [...Object.values(WORKSPACE_TRANSITIONS), AUTO_STOP, RESTORE_STEP].map(({ name }): string => name)
