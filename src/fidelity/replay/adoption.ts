import { isObject, type Json, textOf } from '../../lib/json.js'
import { parseTimestamp, toTimestamp } from '../../lib/time.js'
import { ORG_ROLES } from '../../profile/org-roles.js'
import type { StateKind } from '../../profile/states.js'
import { RELATED } from '../../profile/stored-kinds.js'
import { ALLOWED_IPS } from '../../resources/allow-list/fields.js'
import { RESTORE_STEP } from '../../resources/backups/lifecycle.js'
import type { CatalogueList } from '../../resources/comparable.js'
import { DATABASE_USERS } from '../../resources/database-users/fields.js'
import type { ResourceTable } from '../../resources/field-table.js'
import { ORG_USERS } from '../../resources/org-users/fields.js'
import { type Part, WORKGROUP_PARTS, WORKSPACE_PARTS } from '../../resources/parts.js'
import { STATES } from '../../resources/states.js'
import { RESOURCE_TABLES, SHOWN_RESOURCES } from '../../resources/tables.js'
import { AUTO_STOP_FIELD, WORKSPACES } from '../../resources/workspaces/fields.js'
import { AUTO_STOP, WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import { addedField, extraIn } from '../added-fields.js'
import type { Call } from '../api.js'
import { catalogueListOf, comparableOf, RESOURCES } from '../comparables.js'
import type { OtherValue, Unmatched } from '../comparison.js'
import type { Exchange } from '../exchange.js'
import { isMoment } from '../masking/harmless.js'
import { instantOf } from '../timing.js'
import type { Editable, Item, WorkgroupItem } from '../twin.js'
import type { Session } from './session.js'
import { runningIn } from './states.js'

// If exchanges show a resource without its creation, the mock adopts it, as it is shown and with the service's ids,
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
    session.bindings.rebind(id, id)
    session.adopt(id)
  }
  return true
}

/** Adopts the resources that a request names, and those that its reply shows. */
export function adoptPath(session: Session, exchange: Exchange, { operation, params }: Call): Promise<boolean> {
  const schema = session.api.nameOf(session.api.resultSchema(operation))
  return edit(session, exchange, (writer) => {
    const result = session.resultIn(exchange.body)
    if (exchange.method === 'GET' && exchange.status! < 400 && isObject(result) && !writer.hasHad(schema, result))
      writer.place(schema, result)
    writer.addFromPath(operation)
    const sent = (field: string) => textOf(session.fieldOf(exchange.requestBody, field))
    writer.placeNew(RELATED.database, sent('svc_database_id'))
    const backup = sent('backup_id')
    if (backup !== undefined) writer.place('Backup', {}, backup)
    if (params['id'] !== undefined) writer.place(ALLOWED_IPS.shownAs, {}, params['id'])
  })
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value.slice(0, 256) : undefined)
const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The value of a field, by its built-in name. */
type Field = (name: string) => unknown

const PARTS = Object.entries<Part>({ ...WORKGROUP_PARTS, ...WORKSPACE_PARTS })

/** The owners of resources, and the names of their lists in its document, by the schema of replies. */
const PLACES = new Map(
  RESOURCE_TABLES.map((table: ResourceTable) => {
    const { name, shownAs = name } = table
    const [list, { isSingle = false } = {}] = PARTS.find(([, part]) => part.inDocument.table === table) ?? [name]
    const [owner] = SHOWN_RESOURCES.get(shownAs)!.parents
    return [shownAs, { list, isSingle, owner }] as const
  })
)

/** The fields of workspaces that show values of their workgroup, by the names of these. */
const INHERITED: ReadonlyMap<string, string> = new Map(
  Object.entries((WORKSPACES as ResourceTable).fields).map(([name, { from = '' }]) => [from.slice(2), name])
)

/** The object with a list of an owner. */
const holderOf = (owner: object, list: string) =>
  (list === 'entries' ? (owner as WorkgroupItem).allow_list : owner) as Record<string, unknown>

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
    this.#params = session.api.recognise(exchange)!.params
  }

  /** Whether the mock has had a resource, which it may since have removed. */
  hasHad(schema: string | undefined, item: Json): boolean {
    const { identity } = comparableOf(schema)
    return identity !== undefined && !this.#isNew(this.#session.textOf(item, identity))
  }

  /** Adds the resources that the path names, unless the mock has had them. */
  addFromPath(operation: string): void {
    for (const [relation, schema] of Object.entries(RELATED)) {
      const made = this.placeNew(schema, this.#params[`${relation}ID`])
      if (made !== undefined && relation === 'workspace' && operation === 'resumeWorkspace')
        made['status'] = this.#word('workspace', 'Stopped')
    }
  }

  /** Adds a resource of which at most the id is known, unless the mock has had it. */
  placeNew(schema: string, id: string | undefined): Item | undefined {
    return id !== undefined && this.#isNew(id) ? this.place(schema, {}, id) : undefined
  }

  addAll(items: readonly Unmatched[]): void {
    for (const { schema, item } of items) this.place(schema, item)
  }

  /** Replaces the users of the org, who are all from before the exchanges. */
  replaceOrgUsers(users: readonly Json[]): void {
    this.#document.org_users = []
    for (const user of users) this.place(ORG_USERS.shownAs, user)
  }

  /** Adds a resource and its contents, unless the document has them. @param group id of its workgroup, if known */
  place(schema = '', item: Json, given?: string, group?: string): Item | undefined {
    const { identity = '', contents = {} } = comparableOf(schema)
    const place = PLACES.get(schema)
    const id = given ?? text(this.#session.fieldOf(item, identity))
    if (place === undefined || (id === undefined && !place.isSingle)) return undefined
    const { owner } = place
    const known = group ?? this.#params[`${owner}ID`] ?? text(this.#field(item, id)(`${owner}_id`))
    const ownerId = owner && (known ?? `of-${id}`.slice(0, 36))
    const placed = this.#find(schema, this.#session.oursFor(id ?? '')) ?? this.#add(schema, item, id, ownerId)
    for (const [name, inner] of Object.entries(contents))
      for (const one of listIn(this.#session.fieldOf(item, name))) this.place(inner, one, undefined, ownerId ?? id)
    return placed
  }

  #add(schema: string, item: Json, id = '', ownerId = ''): Item | undefined {
    const { list, isSingle, owner } = PLACES.get(schema)!
    // A part shows too little of its owner to add that.
    const add = (parent: string) => (RESOURCES.includes(schema) ? this.place(parent, {}, ownerId) : undefined)
    const document =
      owner === undefined
        ? this.#document
        : (this.#find(RELATED[owner], this.#session.oursFor(ownerId)) ?? add(RELATED[owner]))
    if (document === undefined) return undefined
    const made: Item = { ...(isSingle ? {} : { id }), ...this.#valuesOf(schema, item, id, ownerId) }
    for (const [name, kind] of Object.entries(comparableOf(schema).states ?? {})) {
      // Other replies show it at other times.
      const shown = this.#session.states.stateOf(kind, this.#session.textOf(item, name))
      const state = shown === 'Restoring' ? 'Active' : shown
      if (state === undefined) continue
      made[name] = this.#word(kind, state)
      const running = runningIn(kind, state)
      if (running !== undefined && kind === 'backup')
        this.#hold(running.name, this.#session.oursFor(ownerId), { backup: id })
      else if (running !== undefined) this.#hold(running.name, id)
    }
    const holder = holderOf(document, list)
    if (isSingle) holder[list] = made
    else {
      ;((holder[list] ??= []) as Item[]).push(made)
      this.added.push(id)
    }
    this.hasChanged = true
    return made
  }

  /** The values of a new resource that replies show, and those that it needs. */
  #valuesOf(schema: string, item: Json, id: string, group: string): Readonly<Record<string, unknown>> {
    const field = schema === RELATED.workgroup ? this.#fieldOfWorkgroup(item, id) : this.#field(item, id)
    const shown = (comparableOf(schema).carried ?? []).flatMap(({ field: name, as, list }) => {
      const value = field(name)
      if (value === undefined || value === null || value === '') return []
      if (typeof value === 'number' && isMoment(value, name)) return [[as, toTimestamp(instantOf(value)!)] as const]
      return [[as, list === undefined ? value : this.#chosen(list, value)] as const]
    })
    const values = { ...Object.fromEntries(shown), ...extraIn(this.#session.profile, schema, field) }
    switch (schema) {
      case RELATED.workgroup:
        return { name: 'unknown', allow_list: { enabled: field('enable_allow_list') === true }, ...values }
      case RELATED.workspace: {
        if (this.#session.fieldOf(item, 'status') === undefined) this.#session.unsure.add(id)
        const database = text(field('database_id')) ?? `${id}-database`.slice(0, 36)
        return { ...values, database: this.place(RELATED.database, {}, database, group)!.id }
      }
      case ALLOWED_IPS.shownAs:
        return { cidr: '192.0.2.1/32', ...values }
      case DATABASE_USERS.shownAs:
        return { username: id, password: 'unknown', ...values }
      case ORG_USERS.shownAs: {
        const { fromWire } = this.#session.profile.names.values
        const names = listIn(field('roles')).map((role) => fromWire(this.#session.textOf(role, 'name')))
        // The comparison reports roles that only the service has.
        const roles = names.filter((name) => Object.hasOwn(ORG_ROLES, name))
        return { email: `${id}@svc.test`, ...values, roles: roles.length === 0 ? ['workspace-member'] : roles }
      }
      default:
        return values
    }
  }

  /** Puts a workspace, by the mock's id, into a state that it could not reach. */
  setState({ kind, id, state }: { readonly kind: StateKind; readonly id: string; readonly state: string }): void {
    // The length of an interrupted transition says nothing.
    this.#session.timing.forget(id)
    const workspace = this.#find(RELATED.workspace, id)
    if (workspace === undefined || (kind !== 'workspace' && kind !== 'refresh')) return
    if (!STATES[kind].includes(state) || state === 'gone' || state === 'Restoring') return
    workspace[kind === 'workspace' ? 'status' : 'refresh_status'] = this.#word(kind, state)
    this.#cancel(id, kind === 'workspace' ? OF_STATUS : ['workspace.refresh'])
    const running = runningIn(kind, state)
    if (running !== undefined) this.#hold(running.name, id)
    this.hasChanged = true
  }

  setValue({ schema, item, field, theirs }: OtherValue): void {
    const { identity = '', carried = [] } = comparableOf(schema)
    const target = this.#find(schema, this.#session.textOf(item, identity))
    const own = carried.find((one) => one.field === field)?.as ?? field
    if (target !== undefined && addedField(this.#session.profile, schema, field) !== undefined) {
      target['extra'] = { ...(target['extra'] as object | undefined), [field]: theirs }
      this.hasChanged = true
      return
    }
    if (target === undefined || typeof target[own] !== typeof theirs) return
    const list = catalogueListOf(schema, field)
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

  /** Removes resources with their contents, and the databases of workgroups that have no workspaces left. */
  remove(list: readonly string[]): void {
    const ids = new Set<unknown>(list)
    for (const { id, workspaces, databases } of this.#document.workgroups)
      if (ids.has(id) || workspaces.every((workspace) => ids.has(workspace.id)))
        for (const part of [...workspaces, ...databases]) ids.add(part.id)
    // If a list shows only a page, a later request can name any of them.
    for (const id of ids) this.#session.bindings.forget(String(id))
    const keep = (_: string, value: unknown) =>
      Array.isArray(value) ? value.filter((one: unknown) => !isObject(one) || !ids.has(one['id'])) : value
    this.#document.workgroups = JSON.parse(JSON.stringify(this.#document.workgroups), keep) as WorkgroupItem[]
    const left = new Set<unknown>(this.#all(RELATED.workspace).map(({ id }) => id))
    this.#document.events = this.#document.events.filter(({ workspace_id: owner }) => left.has(owner))
    this.hasChanged = true
  }

  #hold(event: string, workspace: string, payload: Json = {}): void {
    this.#document.events.push({ event, workspace_id: workspace, due: null, payload })
  }

  #find(schema: string, id: string): Item | undefined {
    return this.#all(schema).find((one) => one.id === id)
  }

  /** The resources of a schema in the document. */
  #all(schema: string): readonly Item[] {
    const { list, owner } = PLACES.get(schema)!
    const owners = owner === undefined ? [this.#document] : this.#all(RELATED[owner])
    return owners.flatMap((one) => (holderOf(one, list)[list] ?? []) as Item[])
  }

  /** Whether the mock has never had a resource of the service. */
  #isNew(id: string): boolean {
    return this.#session.bindings.oursFor(id) === undefined
  }

  /** Reads fields of an item or, if it lacks them, of the resource with an id as another reply shows it. */
  #field(item: Json, id = ''): Field {
    const shown = this.#session.shown.get(id) ?? {}
    return (name) => this.#session.fieldOf(item, name) ?? this.#session.fieldOf(shown, name)
  }

  /** Reads fields of a workgroup, of which its workspaces show some. */
  #fieldOfWorkgroup(item: Json, id: string): Field {
    const own = this.#field(item, id)
    const parts = [...this.#session.shown.values()].filter((part) => this.#session.fieldOf(part, 'workgroup_id') === id)
    return (name) =>
      own(name) ?? parts.map((part) => this.#session.fieldOf(part, INHERITED.get(name) ?? name)).find(Boolean)
  }

  /** The mock's word for a state. */
  #word(kind: StateKind, state: string): string {
    return this.#session.profile.words[kind].toWire(state)
  }

  /** @param shown a name, or the workspace type that has it */
  #chosen(list: CatalogueList, shown: unknown): string | undefined {
    const name = text(isObject(shown) ? this.#session.fieldOf(shown, 'typeName') : shown)
    return name === undefined ? undefined : this.#session.catalogue.toOurs(list, name)
  }
}

/** The events that change the status of a workspace. */
const OF_STATUS = [...Object.values(WORKSPACE_TRANSITIONS), AUTO_STOP, RESTORE_STEP].map(({ name }): string => name)
