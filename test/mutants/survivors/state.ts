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
    file: 'src/state/file.ts',
    line: 'if (!(error instanceof DocumentError)) throw error',
    replacement: 'false',
    reason: 'To read a document fails in no other way.'
  },
  {
    file: 'src/state/prepare.ts',
    line: "typeof upgraded === 'object' &&",
    replacement: 'true',
    reason: 'What is no object has no fields to check.'
  },
  {
    file: 'src/state/schema-errors.ts',
    line: 'if (error === MORE_FIELD_ERRORS || found.length >= ERROR_LIMIT)',
    replacement: 'found.length > ERROR_LIMIT',
    reason: 'An error more or less is listed.'
  },
  {
    file: 'src/state/apply.ts',
    line: 'if (id !== undefined && UUID.test(id)) yield id',
    replacement: 'id !== undefined || UUID.test(id)',
    reason: 'The stream gives no other ids, so looking for one finds nothing.'
  },
  {
    file: 'src/state/export.ts',
    line: 'return finish(exportInSlices(plane, sandbox, () => false))',
    replacement: '() => undefined',
    reason: 'All slices are run at once, however many there are.'
  },
  {
    file: 'src/state/export.ts',
    line: 'return finish(exportInSlices(plane, sandbox, () => false))',
    replacement: 'true',
    reason: 'All slices are run at once, however many there are.'
  },
  {
    file: 'src/state/export.ts',
    line: 'if (++workspaces % STEP === 0 && isTimeUp()) yield',
    replacement: '--workspaces',
    reason: 'Counting down comes to a multiple as often.'
  },
  {
    file: 'src/state/export.ts',
    line: 'const pages = []',
    replacement: '["Stryker was here"]',
    reason: 'A text has no workgroup, so it is in none of them.'
  },
  {
    file: 'src/state/prepare.ts',
    line: "if (typeof value !== 'object' || value === null) return undefined",
    replacement: 'false',
    reason: 'Where null is allowed, nothing inside is checked further.'
  },
  {
    file: 'src/state/prepare.ts',
    line: 'const hashed: Promise<void>[] = []',
    replacement: '["Stryker was here"]',
    reason: 'Waiting for a text takes no time.'
  },
  {
    file: 'src/state/fitting.ts',
    line: '...(state.allow_list?.entries && {',
    replacement: 'state.allow_list.entries',
    reason: 'Every workgroup that is exported has an allow list, if only an empty one.'
  },
  {
    file: 'src/state/words.ts',
    line: 'return words === BUILT_IN_WORDS ? workspace :',
    replacement: 'false',
    reason: 'Each built-in word stands for itself, so the conversion only costs time.'
  },
  {
    file: 'src/state/words.ts',
    line: 'for (const workgroup of document.workgroups ?? []) {',
    replacement: '["Stryker was here"]',
    reason: 'Where a document has no workgroups, those made here are not used.'
  },
  {
    file: 'src/state/words.ts',
    line: 'items.map((item) => (item.status === undefined ?',
    replacement: 'false',
    reason: 'No word is undefined, so it stays undefined, which is as good as absent.'
  },
  {
    file: 'src/state/words.ts',
    line: '...(status === undefined ?',
    replacement: 'false',
    reason: 'No word is undefined, so it stays undefined, which is as good as absent.'
  },
  {
    file: 'src/state/words.ts',
    line: '...(refresh === undefined ?',
    replacement: 'false',
    reason: 'No word is undefined, so it stays undefined, which is as good as absent.'
  }
]
