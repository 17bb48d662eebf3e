import type { TSchema } from '@sinclair/typebox'
import { isObject, type Json } from '../../lib/json.js'
import { parseTimestamp, toTimestamp } from '../../lib/time.js'
import { ORG_ROLES } from '../../profile/org-roles.js'
import type { StateKind } from '../../profile/states.js'
import { RESTORE_STEP } from '../../resources/backups/lifecycle.js'
import type { CatalogueList } from '../../resources/comparable.js'
import { type Part, WORKSPACE_PARTS } from '../../resources/parts.js'
import { STATES } from '../../resources/states.js'
import { AUTO_STOP_FIELD } from '../../resources/workspaces/fields.js'
import { AUTO_STOP, WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import { addedField, extraIn } from '../added-fields.js'
import type { Call } from '../api.js'
import { CHOSEN, comparableOf } from '../comparables.js'
import type { OtherValue, Unmatched } from '../comparison.js'
import type { Exchange } from '../exchange.js'
import type { Editable, Item, WorkgroupItem } from '../twin.js'
import type { Session } from './session.js'
import { runningIn } from './states.js'

// If a recording shows a resource without its creation, the mock adopts it, as it is shown and with the service's ids,
// by an edit of its state document.

/**
 * Edits the mock's state document. Each edit makes the mock forget deleted workspaces that are still readable.
 * @returns whether it has changed
 */
export async function edit(session: Session, exchange: Exchange, change: (writer: Writer) => void): Promise<boolean> {
  let added: readonly string[] = []
  const { hasChanged, refused } = await session.twin.edit((document) => {
    const writer = new Writer(session, exchange, document)
    change(writer)
    added = writer.added
    return writer.hasChanged
  })
  for (const reason of refused) session.refused.push(`exchange ${exchange.number}: ${reason}`)
  if (!hasChanged) return false
  for (const id of added) {
    session.names.bindings.rebind(id, id)
    session.adopt(id)
  }
  return true
}

/** Adopts the resources that a request names, and those that its reply shows. */
export function adoptPath(session: Session, exchange: Exchange, { operation }: Call): Promise<boolean> {
  const schema = session.names.api.resolve(session.names.api.resultSchema(operation))
  return edit(session, exchange, (writer) => {
    const result = session.resultIn(exchange.body)
    const isShown =
      exchange.method === 'GET' && exchange.status! < 400 && isObject(result) && !writer.hasHad(schema?.name, result)
    if (isShown) writer.add(schema?.name, result)
    writer.addFromPath(operation)
    // A part of a workspace can be added only after the workspace.
    if (isShown && !writer.hasChanged) writer.add(schema?.name, result)
    const { svc_database_id: database, backup_id: backup } = isObject(exchange.requestBody) ? exchange.requestBody : {}
    if (typeof database === 'string') writer.addDatabase(database)
    if (typeof backup === 'string') writer.add('Backup', { id: backup, is_automatic: false })
  })
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value.slice(0, 256) : undefined)
const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** A value of a reply for a state document; undefined if the document would not accept it. */
function readAs(schema: TSchema, value: unknown): unknown {
  switch (schema['type']) {
    case 'string':
      if (schema['format'] !== 'timestamp') return text(value)
      return typeof value === 'string' && parseTimestamp(value) !== undefined ? value : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'integer':
      return Number.isSafeInteger(value) && (value as number) >= 0 ? value : undefined
    case 'array':
      return listIn(value)
    default:
      return isObject(value) ? value : undefined
  }
}

/** An item without the fields that are undefined. */
const defined = (fields: object): Item =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The value of a field, by its built-in name. */
type Field = (name: string) => unknown

const WORKSPACE_PART_LIST = Object.entries<Part>(WORKSPACE_PARTS)

/** Makes a state document contain what a reply shows. */
class Writer {
  readonly added: string[] = []
  hasChanged = false
  readonly #session: Session
  readonly #document: Editable
  /** The ids in the path of the request. */
  readonly #params: Call['params']

  constructor(session: Session, exchange: Exchange, document: Editable) {
    this.#session = session
    this.#document = document
    this.#params = session.names.api.recognise(exchange)!.params
  }

  /** Whether the mock has had a resource, which it may since have removed. */
  hasHad(schema: string | undefined, item: Json): boolean {
    const { identity } = comparableOf(schema)
    return identity !== undefined && !this.#isNew(this.#session.textOf(item, identity))
  }

  /** Adds the resources that the path names, unless the mock has had them. */
  addFromPath(operation: string): void {
    const { workgroupID, workspaceID, databaseID } = this.#params
    if (workspaceID !== undefined && this.#isNew(workspaceID)) {
      const workgroup = workgroupID ?? text(this.#field({}, workspaceID)('workgroup_id'))
      const made = this.#workspace({}, workspaceID, this.#workgroup({}, workgroup ?? `of-${workspaceID}`.slice(0, 36)))
      if (operation === 'resumeWorkspace') made.status = this.#word('workspace', 'Stopped')
    } else if (workgroupID !== undefined && this.#isNew(workgroupID)) this.#workgroup({}, workgroupID)
    if (databaseID !== undefined) this.addDatabase(databaseID)
  }

  /** Adds a database, unless the mock has had it. */
  addDatabase(id: string): void {
    const { workgroupID } = this.#params
    if (workgroupID !== undefined && this.#isNew(id)) this.#database({}, id, this.#workgroup({}, workgroupID))
  }

  add(schema: string | undefined, item: Json): void {
    const field = this.#field(item)
    const { workgroupID = '', workspaceID = '' } = this.#params
    const workspace = this.#findWorkspace(this.#session.oursFor(workspaceID))
    if (schema === 'Workgroup') this.#workgroup(item, String(field('workgroup_id')))
    else if (schema === 'SvcDatabase' || schema === 'Workspace') {
      const workgroup = this.#workgroup({}, String(field('workgroup_id')))
      if (schema === 'Workspace') this.#workspace(item, String(field('workspace_id')), workgroup)
      else this.#database(item, String(field('database_id')), workgroup)
    } else if (schema === 'AllowedIP') {
      const workgroup = this.#findWorkgroup(this.#session.oursFor(workgroupID))
      const id = text(field('id'))
      const entry = this.#carried('AllowedIP', field)
      if (workgroup === undefined || id === undefined || entry['cidr'] === undefined) return
      this.#push(workgroup.allow_list, 'entries', { id, ...entry })
    } else if (schema !== undefined && workspace !== undefined) this.#addPart(workspace, schema, field)
  }

  #addPart(workspace: Item, schema: string, field: Field): void {
    const part = WORKSPACE_PART_LIST.find(([, { inDocument }]) => inDocument.table.shownAs === schema)
    if (part === undefined) return
    const [name, { isSingle }] = part
    const carried = this.#carried(schema, field)
    const id = text(field(comparableOf(schema).identity ?? ''))
    if (isSingle) {
      workspace[name] = carried
      this.hasChanged = true
    } else if (id !== undefined) {
      const ofUser = { username: text(field('username')) ?? id, password: 'unknown' }
      this.#push(workspace, name, { id, ...carried, ...(name === 'users' ? ofUser : {}) })
      if (name === 'backups' && this.#state('backup', field('status')) === 'Running')
        this.#hold('backup.run', workspace.id!, { backup: id })
    }
  }

  addAll(items: readonly Unmatched[]): void {
    for (const { schema, item } of items) this.add(schema, item)
  }

  /** Replaces the users of the org, who are all from before the recording. */
  replaceOrgUsers(users: readonly Json[]): void {
    const { values } = this.#session.profile.names
    this.#document.org_users = users.map((user) => {
      const field = this.#field(user)
      const names = listIn(field('roles')).map((role) => values.fromWire(String(this.#field(role)('name'))))
      // The comparison reports roles that only the service has.
      const known = names.filter((name) => Object.hasOwn(ORG_ROLES, name))
      const email = text(field('email')) ?? ''
      const id = text(field('id'))
      if (id !== undefined) this.#recordAdded(id)
      return defined({
        id,
        email: email.includes('@') ? email : `${id}@svc.test`,
        ...this.#carried('org_handler.OrgListUserResponse', field),
        roles: known.length === 0 ? ['workspace-member'] : known
      })
    })
  }

  /** Puts a workspace, by the mock's id, into a state that it could not reach. */
  setState({ kind, id, state }: { readonly kind: StateKind; readonly id: string; readonly state: string }): void {
    // The length of an interrupted transition says nothing.
    this.#session.timing.forget(id)
    const workspace = this.#findWorkspace(id)
    if (workspace === undefined || (kind !== 'workspace' && kind !== 'refresh')) return
    if (!STATES[kind].includes(state) || state === 'gone' || state === 'Restoring') return
    workspace[kind === 'workspace' ? 'status' : 'refresh_status'] = this.#word(kind, state)
    this.#cancel(id, kind === 'workspace' ? OF_STATUS : ['workspace.refresh'])
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
    if (own !== AUTO_STOP_FIELD || target['status'] !== this.#word('workspace', 'Active')) return
    const id = target.id!
    this.#cancel(id, [AUTO_STOP.name])
    const due = parseTimestamp(String(target['last_active']))! + Number(theirs) * 60_000
    if (theirs !== 0) this.#document.events.push({ event: AUTO_STOP.name, workspace_id: id, due: toTimestamp(due) })
  }

  #cancel(workspace: string, events: readonly string[]): void {
    this.#document.events = this.#document.events.filter(
      ({ event, workspace_id: owner }) => owner !== workspace || !events.includes(event)
    )
  }

  #findResource(schema: string, item: Json): Item | undefined {
    const id = (name: string) => String(this.#session.fieldOf(item, name))
    if (schema === 'Workspace') return this.#findWorkspace(id('workspace_id'))
    const workgroup = this.#findWorkgroup(id('workgroup_id'))
    if (schema === 'Workgroup') return workgroup
    return workgroup?.databases.find((database) => database.id === id('database_id'))
  }

  /** Removes resources with their contents, and the databases of workgroups that have no workspaces left. */
  remove(list: readonly string[]): void {
    const ids = new Set<unknown>(list)
    for (const { id, workspaces, databases } of this.#document.workgroups)
      if (ids.has(id) || workspaces.every((workspace) => ids.has(workspace.id)))
        for (const part of [...workspaces, ...databases]) ids.add(part.id)
    // If a list shows only a page, a later request can name any of them.
    for (const id of ids) this.#session.names.bindings.forget(String(id))
    removeFrom(this.#document, ids, 'workgroups')
    for (const workgroup of this.#document.workgroups) {
      removeFrom(workgroup.allow_list, ids, 'entries')
      removeFrom(workgroup, ids, 'workspaces', 'databases')
      for (const workspace of workgroup.workspaces) removeFrom(workspace, ids, ...Object.keys(WORKSPACE_PARTS))
    }
    const left = new Set(this.#document.workgroups.flatMap(({ workspaces }) => workspaces.map(({ id }) => id)))
    this.#document.events = this.#document.events.filter(({ workspace_id: owner }) => left.has(owner))
    this.hasChanged = true
  }

  #workgroup(item: Json, id: string): WorkgroupItem {
    const field = this.#field(item)
    let workgroup = this.#findWorkgroup(this.#session.oursFor(id))
    if (workgroup === undefined) {
      const shown = this.#field(item, id)
      // Its workspaces show some of its values.
      const parts = [...this.#session.shown.values()].map((part) => this.#field(part))
      const own = parts.filter((part) => part('workgroup_id') === id)
      const known: Field = (name) =>
        shown(name) ?? own.map((part) => part(name === 'name' ? 'workgroup_name' : name)).find(Boolean)
      workgroup = this.#push<WorkgroupItem>(this.#document, 'workgroups', {
        id,
        ...this.#carried('Workgroup', known),
        name: text(known('name')) ?? 'unknown',
        allow_list: { enabled: known('enable_allow_list') === true, entries: [] },
        databases: [],
        workspaces: []
      })
    }
    for (const database of listIn(field('svc_databases')))
      this.#database(database, String(this.#session.fieldOf(database, 'database_id')), workgroup)
    for (const workspace of listIn(field('workspaces')))
      this.#workspace(workspace, String(this.#session.fieldOf(workspace, 'workspace_id')), workgroup)
    return workgroup
  }

  #database(item: Json, id: string, workgroup: WorkgroupItem): void {
    if (!workgroup.databases.some((one) => one.id === this.#session.oursFor(id)))
      this.#push(workgroup, 'databases', { id, ...this.#carried('SvcDatabase', this.#field(item, id)) })
    for (const workspace of listIn(this.#session.fieldOf(item, 'workspaces')))
      this.#workspace(workspace, String(this.#session.fieldOf(workspace, 'workspace_id')), workgroup)
  }

  #workspace(item: Json, id: string, workgroup: WorkgroupItem): Item {
    const known = this.#findWorkspace(this.#session.oursFor(id))
    if (known !== undefined) return known
    const field = this.#field(item, id)
    const isSure = this.#session.fieldOf(item, 'status') !== undefined
    if (!isSure) this.#session.unsure.add(id)
    const type = field('workspace_type')
    const database = text(field('database_id')) ?? `${id}-database`.slice(0, 36)
    this.#database({}, database, workgroup)
    const state = (isSure ? this.#state('workspace', field('status')) : undefined) ?? 'Active'
    const refresh = isSure ? this.#state('refresh', field('refresh_status')) : undefined
    const running = runningIn('workspace', state)
    if (running !== undefined && state !== 'Restoring') this.#hold(running.name, id)
    if (refresh === 'Refreshing') this.#hold('workspace.refresh', id)
    return this.#push(workgroup, 'workspaces', {
      id,
      ...this.#carried('Workspace', field),
      database: this.#session.oursFor(database),
      status: this.#word('workspace', state === 'Restoring' ? 'Active' : state),
      refresh_status: this.#word('refresh', refresh),
      workspace_type_name: this.#chosen('workspace_types', isObject(type) ? this.#field(type)('typeName') : '')
    })
  }

  #hold(event: string, workspace: string, payload: Json = {}): void {
    this.#document.events.push({ event, workspace_id: workspace, due: null, payload })
  }

  #findWorkgroup(id: string): WorkgroupItem | undefined {
    return this.#document.workgroups.find((one) => one.id === id)
  }

  #findWorkspace(id: string): Item | undefined {
    return this.#document.workgroups.flatMap(({ workspaces }) => workspaces).find((one) => one.id === id)
  }

  /** Whether the mock has never had a resource of the service. */
  #isNew(id: string): boolean {
    return this.#session.names.bindings.oursFor(id) === undefined
  }

  /** Reads fields of an item or, if it lacks them, of the resource with an id as another reply shows it. */
  #field(item: Json, id = ''): Field {
    const shown = this.#session.shown.get(id) ?? {}
    return (name) => this.#session.fieldOf(item, name) ?? this.#session.fieldOf(shown, name)
  }

  #state(kind: StateKind, word: unknown): string | undefined {
    return typeof word === 'string' ? this.#session.names.states.stateOf(kind, word) : undefined
  }

  /** The mock's word for a state. */
  #word(kind: StateKind, state: string | undefined): string | undefined {
    return state === undefined ? undefined : this.#session.profile.words[kind].toWire(state)
  }

  /** The fields that a state document has under the same names as replies. */
  #carried(schema: string, fieldOf: Field): Readonly<Record<string, unknown>> {
    const { carried = [], states = {} } = comparableOf(schema)
    const fields = carried.map(({ field, schema: own, list }) => {
      const value = fieldOf(field)
      return [field, list === undefined ? readAs(own, value) : this.#chosen(list, value)] as const
    })
    const words = Object.entries(states).map(([field, kind]) => {
      const state = this.#state(kind, fieldOf(field))
      return [field, this.#word(kind, state)] as const
    })
    return { ...Object.fromEntries([...fields, ...words]), ...extraIn(this.#session.profile, schema, fieldOf) }
  }

  #chosen(list: CatalogueList, name: unknown): string | undefined {
    return typeof name === 'string' && name !== '' ? this.#session.names.catalogue.toOurs(list, name) : undefined
  }

  #push<T extends Item>(owner: object, list: string, item: T & { readonly id: string }): T {
    const added = defined(item) as T
    ;((owner as Record<string, T[] | undefined>)[list] ??= []).push(added)
    this.#recordAdded(item.id)
    return added
  }

  #recordAdded(id: string): void {
    this.added.push(id)
    this.hasChanged = true
  }
}

/** Removes the items with certain ids from lists of an owner. */
function removeFrom<List extends string>(
  owner: { [Name in List]?: unknown },
  ids: ReadonlySet<unknown>,
  ...lists: readonly List[]
): void {
  for (const name of lists) {
    const list = owner[name]
    // An absent list must stay absent.
    if (Array.isArray(list)) owner[name] = (list as readonly Item[]).filter(({ id }) => !ids.has(id))
  }
}

/** The events that change the status of a workspace. */
const OF_STATUS = [...Object.values(WORKSPACE_TRANSITIONS), AUTO_STOP, RESTORE_STEP].map(({ name }): string => name)
