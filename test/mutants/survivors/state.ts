import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
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
  }
]
