/** A mutant that no test notices, and why that is right. */
export interface Survivor {
  readonly file: string
  /** A part of the line that it changes. */
  readonly line: string
  /** What stands there instead. */
  readonly replacement: string
  readonly reason: string
}

/** Every mutant that is known to survive. */
export const SURVIVORS: readonly Survivor[] = [
  {
    file: 'src/journal/mask.ts',
    line: 'if (answer === undefined) {',
    replacement: 'true',
    reason: 'What is known of names only spares time.'
  },
  {
    file: 'src/journal/mask.ts',
    line: 'if (known.size >= KNOWN_LIMIT) known.clear()',
    replacement: 'true',
    reason: 'What is known of names only spares time.'
  },
  {
    file: 'src/journal/mask.ts',
    line: 'if (known.size >= KNOWN_LIMIT) known.clear()',
    replacement: 'false',
    reason: 'It bounds memory by some kilobytes for each unusual name; what is masked stays the same.'
  },
  {
    file: 'src/journal/mask.ts',
    line: 'if (known.size >= KNOWN_LIMIT) known.clear()',
    replacement: 'known.size > KNOWN_LIMIT',
    reason: 'One name more or less is kept.'
  },
  {
    file: 'src/journal/mask.ts',
    line: 'if (known.size >= KNOWN_LIMIT) known.clear()',
    replacement: 'known.size < KNOWN_LIMIT',
    reason: 'What is known of names only spares time.'
  },
  {
    file: 'src/journal/mask.ts',
    line: 'for (let i = 0; i < items.length; i++) {',
    replacement: 'i <= items.length',
    reason: 'Behind the last item there is undefined, which stays as it is.'
  },
  {
    file: 'src/journal/mask.ts',
    line: "return text.includes('://') ?",
    replacement: '""',
    reason: 'It spares looking for a pattern that is not there.'
  },
  {
    file: 'src/lib/time.ts',
    line: 'const result = Date.parse(',
    replacement: 'fraction',
    reason: 'Node cuts further decimals off as well, though the language does not promise it.'
  },
  {
    file: 'src/lib/time.ts',
    line: 'const result = Date.parse(',
    replacement: 'offset.toLowerCase()',
    reason: 'Node reads `z` as `Z`, though the language does not promise it.'
  },
  {
    file: 'src/sim/random.ts',
    line: 'draw < from + ALIKE',
    replacement: 'draw <= from + ALIKE',
    reason: 'The one draw more gives an id that begins otherwise, so it is not the one that is looked for.'
  },
  {
    file: 'src/sim/engine.ts',
    line: 'if (sandbox.nextDue > now) return',
    replacement: 'false',
    reason: 'It spares a question to the database, which would find nothing.'
  },
  {
    file: 'src/sim/engine.ts',
    line: "if (clock.mode !== 'real') return",
    replacement: 'false',
    reason:
      'The longer way comes to the same for a clock that stands, and what it keeps is forgotten when the clock is set.'
  },
  {
    file: 'src/sim/rules.ts',
    line: 'rule.times !== null',
    replacement: 'true',
    reason: 'It spares two statements: counting down from always is always.'
  },
  {
    file: 'src/resources/workspaces/lifecycle.ts',
    line: 'transition.name === WORKSPACE_TRANSITIONS.resize.name',
    replacement: 'true',
    reason: 'What is noted of the other transitions has no size, and what else it has is no column of a workspace.'
  },
  {
    file: 'src/resources/workspaces/lifecycle.ts',
    line: 'if (isActive) this.#planAutoStop(tx, next)',
    replacement: 'true',
    reason:
      'It spares a statement: in another state no auto-stop is planned, and one that was is gone since the ' +
      'transition began.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'function* idsOf(',
    replacement: '["Stryker was here"]',
    reason: 'An item that is a text has neither an id nor contents.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'yield* uuidsOf(org === undefined ? [] : [org])',
    replacement: '["Stryker was here"]',
    reason: 'An item that is a text has neither an id nor contents.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'for (const { allow_list: allowList, databases = [], workspaces = [] } of workgroups) {',
    replacement: '["Stryker was here"]',
    reason: 'An item that is a text has neither an id nor contents.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'yield* uuidsOf(allowList?.entries ?? [])',
    replacement: '["Stryker was here"]',
    reason: 'An item that is a text has neither an id nor contents.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'for (const { backups = [], restore_jobs: jobs = [], schedules = [], users: own = [] } of workspaces) {',
    replacement: '["Stryker was here"]',
    reason: 'An item that is a text has neither an id nor contents.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'if (named.length > 0) yield* uuidsOf(named)',
    replacement: 'true',
    reason: 'It spares a step for each list without ids.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'if (named.length > 0) yield* uuidsOf(named)',
    replacement: 'named.length >= 0',
    reason: 'It spares a step for each list without ids.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'if (UUID.test(id)) yield id',
    replacement: 'true',
    reason: 'The stream gives no other ids, so looking for one finds nothing.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'if (id !== undefined && UUID.test(id)) yield id',
    replacement: 'true',
    reason: 'What is undefined is no UUID either.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'const UUID = ',
    replacement: '/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/',
    reason: 'The stream gives no longer ids, so looking for one finds nothing.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'const UUID = ',
    replacement: '/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/',
    reason: 'The stream gives no longer ids, so looking for one finds nothing.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'return { ...WALL_CLOCK, ...(rate === 1',
    replacement: 'false',
    reason: "A clock that began just now with the machine's time shows that time."
  },
  {
    file: 'src/state/apply.ts',
    line: 'if (leadsToNothing(stated)) continue',
    replacement: 'false',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'const leadsToNothing = ',
    replacement: '() => undefined',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'isAtRest(stated) &&',
    replacement: 'false',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/state/check.ts',
    line: 'faults: requestFaults = [],',
    replacement: '["Stryker was here"]',
    reason: 'An item that is a text has no fields that could be wrong.'
  },
  {
    file: 'src/state/check.ts',
    line: 'workgroups = [],',
    replacement: '["Stryker was here"]',
    reason: 'An item that is a text has no fields that could be wrong.'
  },
  {
    file: 'src/state/check.ts',
    line: 'timeline = []',
    replacement: '["Stryker was here"]',
    reason: 'An item that is a text has no fields that could be wrong.'
  },
  {
    file: 'src/state/check.ts',
    line: 'databases = [], workspaces = [] }: WorkgroupState,',
    replacement: '["Stryker was here"]',
    reason: 'An item that is a text has no fields that could be wrong.'
  },
  {
    file: 'src/state/check.ts',
    line: 'checkAllowedIps(allowList?.entries ?? [], path, check)',
    replacement: '["Stryker was here"]',
    reason: 'An item that is a text has no fields that could be wrong.'
  },
  {
    file: 'src/state/check.ts',
    line: 'const { backups = [], restore_jobs: jobs = [], schedules = [] } = workspace',
    replacement: '["Stryker was here"]',
    reason: 'An item that is a text has no fields that could be wrong.'
  },
  {
    file: 'src/state/check.ts',
    line: 'index: -1,',
    replacement: '+1',
    reason: 'Nothing is before the first entry, so its place is not told.'
  },
  {
    file: 'src/state/check.ts',
    line: 'if (shown !== undefined && shown < newest.at)',
    replacement: 'true',
    reason: 'What is undefined is not less than anything.'
  },
  {
    file: 'src/state/check.ts',
    line: 'if (time !== undefined && time < newest.at)',
    replacement: 'true',
    reason: 'What is undefined is not less than anything.'
  },
  {
    file: 'src/state/check.ts',
    line: "unique('workgroup',",
    replacement: '""',
    reason: 'The name of a kind only keeps it apart from the others, and no other one is empty.'
  },
  {
    file: 'src/state/check.ts',
    line: "unique('workspace',",
    replacement: '""',
    reason: 'The name of a kind only keeps it apart from the others, and no other one is empty.'
  },
  {
    file: 'src/state/check.ts',
    line: "unique('event',",
    replacement: '""',
    reason: 'The name of a kind only keeps it apart from the others, and no other one is empty.'
  },
  {
    file: 'src/state/check.ts',
    line: "const subject = payload['backup'] ??",
    replacement: '""',
    reason: 'A workspace has one job under way at most.'
  },
  {
    file: 'src/state/check.ts',
    line: "typeof subject === 'string' ?",
    replacement: 'true',
    reason: 'All events of a kind that has no subject get the same addition.'
  },
  {
    file: 'src/state/check.ts',
    line: "typeof subject === 'string' ?",
    replacement: '"Stryker was here!"',
    reason: 'All events of a kind that has no subject get the same addition.'
  },
  {
    file: 'src/state/file.ts',
    line: "return parse(text, { prettyErrors: true, logLevel: 'error' })",
    replacement: '""',
    reason: 'The library prints nothing on a level that it does not know.'
  },
  {
    file: 'src/state/file.ts',
    line: "errors.join('; ').replaceAll(",
    replacement: '/\\s/g',
    reason: 'It is one line either way.'
  },
  {
    file: 'src/state/formats.ts',
    line: "typeof format === 'number' && format > newest ?",
    replacement: 'true',
    reason: 'It words the message about a format that is no number; one that is the newest is known.'
  },
  {
    file: 'src/state/formats.ts',
    line: "typeof format === 'number' && format > newest ?",
    replacement: 'format >= newest',
    reason: 'It words the message about a format that is no number; one that is the newest is known.'
  },
  {
    file: 'src/state/prepare.ts',
    line: 'if (copies.has(value)) return value',
    replacement: 'false',
    reason: 'A copy of a copy only costs time.'
  },
  {
    file: 'src/state/prepare.ts',
    line: 'if (ready !== undefined) hashed.push(ready)',
    replacement: 'true',
    reason: 'Waiting for undefined takes no time.'
  },
  {
    file: 'src/state/schema-errors.ts',
    line: 'const length = item === undefined ? CHUNK : 1',
    replacement: 'false',
    reason: 'In pieces of another size, the schema finds the same.'
  },
  {
    file: 'src/state/schema-errors.ts',
    line: 'lists.push({ name, chunk: Type.Array(items),',
    replacement: 'true',
    reason: 'In pieces of another size, the schema finds the same.'
  },
  {
    file: 'src/state/schema-errors.ts',
    line: 'lists.push({ name, chunk: Type.Array(items),',
    replacement: 'false',
    reason: 'In pieces of another size, the schema finds the same.'
  },
  {
    file: 'src/state/schema-errors.ts',
    line: 'lists.push({ name, chunk: Type.Array(items),',
    replacement: 'item.lists.length !== 0',
    reason: 'In pieces of another size, the schema finds the same.'
  },
  {
    file: 'src/state/schema-errors.ts',
    line: 'for (let first = 0; first < items.length',
    replacement: 'first <= items.length',
    reason: 'Nothing is wrong with a piece that is empty.'
  },
  {
    file: 'src/state/schema-errors.ts',
    line: 'const items = Object.hasOwn(value, name)',
    replacement: 'true',
    reason: 'No object inherits a field that is called as a list of a document.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'export function isAtRest(',
    replacement: '{}',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'auto_stop_minutes: autoStop = 0 } = workspace',
    replacement: '""',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'return AT_REST.has(status) &&',
    replacement: 'false',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'return AT_REST.has(status) &&',
    replacement: "status !== 'Active' && autoStop === 0",
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'Object.keys(WORKSPACE_STATES).filter((state) =>',
    replacement: '() => undefined',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'Object.values(WORKSPACE_TRANSITIONS).every(',
    replacement: 'false',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'Object.values(WORKSPACE_TRANSITIONS).every(',
    replacement: '() => undefined',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/allow-list/document.ts',
    line: 'if (entry.id !== undefined && RESERVED_IDS',
    replacement: 'true',
    reason: 'What is undefined is not reserved.'
  },
  {
    file: 'src/resources/backups/document.ts',
    line: "unique('backup',",
    replacement: '""',
    reason: 'The name of a kind only keeps it apart from the others, and no other one is empty.'
  },
  {
    file: 'src/resources/backups/document.ts',
    line: "unique('restore job',",
    replacement: '""',
    reason: 'The name of a kind only keeps it apart from the others, and no other one is empty.'
  },
  {
    file: 'src/resources/database-users/document.ts',
    line: "unique('user',",
    replacement: '""',
    reason: 'The name of a kind only keeps it apart from the others, and no other one is empty.'
  },
  {
    file: 'src/resources/databases/document.ts',
    line: "unique('database',",
    replacement: '""',
    reason: 'The name of a kind only keeps it apart from the others, and no other one is empty.'
  },
  {
    file: 'src/resources/org-users/document.ts',
    line: "unique('org user',",
    replacement: '""',
    reason: 'The name of a kind only keeps it apart from the others, and no other one is empty.'
  },
  {
    file: 'src/resources/backups/store.ts',
    line: 'if (surplus > 0)',
    replacement: 'surplus >= 0',
    reason: 'It spares a statement that would remove nothing.'
  },
  {
    file: 'src/resources/org-users/views.ts',
    line: "uuidFrom('role',",
    replacement: '""',
    reason: 'It keeps the ids of roles apart from other ids that are made of names, of which there are none.'
  },
  {
    file: 'src/resources/schedules/dates.ts',
    line: "const [, , days = '', months = '', weekdays = ''] =",
    replacement: '"Stryker was here!"',
    reason: 'A line without weekdays is left to others at once.'
  },
  {
    file: 'src/resources/schedules/dates.ts',
    line: 'if (day === undefined) return false',
    replacement: 'false',
    reason: 'A day that is not a number is not behind the last one.'
  },
  {
    file: 'src/resources/schedules/dates.ts',
    line: 'const MONTHS = ',
    replacement: '""',
    reason: 'Where January is not known, a month that is none has 31 days as well.'
  },
  {
    file: 'src/resources/schedules/dates.ts',
    line: 'const [, from, to, step] =',
    replacement: '["Stryker was here"]',
    reason: 'The item is in a place that is not read.'
  },
  {
    file: 'src/resources/schedules/dates.ts',
    line: 'const monthOf = ',
    replacement: '/\\d/',
    reason: 'A month consists of digits or of letters, not of both.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'if (names.size >= MOST_NAMES) names.clear()',
    replacement: 'true',
    reason: 'It bounds what is known of names and offsets, which only spares time.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'if (names.size >= MOST_NAMES) names.clear()',
    replacement: 'false',
    reason: 'It bounds what is known of names and offsets, which only spares time.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'if (names.size >= MOST_NAMES) names.clear()',
    replacement: 'names.size > MOST_NAMES',
    reason: 'It bounds what is known of names and offsets, which only spares time.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'if (names.size >= MOST_NAMES) names.clear()',
    replacement: 'names.size < MOST_NAMES',
    reason: 'It bounds what is known of names and offsets, which only spares time.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'if (offsets.size >= MOST_OFFSETS) offsets.clear()',
    replacement: 'false',
    reason: 'It bounds what is known of names and offsets, which only spares time.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'if (offsets.size >= MOST_OFFSETS) offsets.clear()',
    replacement: 'offsets.size > MOST_OFFSETS',
    reason: 'It bounds what is known of names and offsets, which only spares time.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'return Number.isNaN(offset) ? undefined : offset',
    replacement: 'false',
    reason: 'No day has the same offset as another, if there is none.'
  }
]
