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
    file: 'src/lib/time.ts',
    line: 'if (text.length === 24) {',
    replacement: 'false',
    reason: 'It is the fast path; the other one gives the same.'
  },
  {
    file: 'src/lib/time.ts',
    line: 'if (text.length === 24) {',
    replacement: '{}',
    reason: 'It is the fast path; the other one gives the same.'
  },
  {
    file: 'src/lib/time.ts',
    line: 'if (!Number.isNaN(time) && toTimestamp(time) === text) return time',
    replacement: 'false',
    reason: 'It is the fast path; the other one gives the same.'
  },
  {
    file: 'src/lib/recency.ts',
    line: 'if (this.#newest?.item === item) return',
    replacement: 'false',
    reason: 'It spares taking the newest item out, to put it in again.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'function add(kind:',
    replacement: 'true',
    reason: 'Only steps of kind `open` have a use for it, and they say it.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'const level = (levels[depth++] ??=',
    replacement: '{}',
    reason: 'Each of its fields is set below.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'const level = (levels[depth++] ??=',
    replacement: 'true',
    reason: 'Each of its fields is set below.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: '} else if (at - done > piece) {',
    replacement: 'at - done >= piece',
    reason: 'A piece may be a byte shorter.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'const parent = split === 0 ?',
    replacement: 'false',
    reason: 'There is no level before the first one, so it is undefined all the same.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'if (parent !== undefined && parent.comma >= from) {',
    replacement: 'parent.comma > from',
    reason: 'Before such a comma a member is missing, which is found in either way.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'if (text.length <= PIECE) return parse(text)',
    replacement: 'false',
    reason: 'It spares scanning a short text.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'if (text.length <= PIECE) return parse(text)',
    replacement: 'text.length < PIECE',
    reason: 'It spares scanning a short text.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: "return { value, path: '', name: '' }",
    replacement: '"Stryker was here!"',
    reason: 'The name is only compared with `constructor`.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'if (Array.isArray(members)) for',
    replacement: 'false',
    reason: 'It spares a call for each item.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: "const [first = '', ...rest] = field.split('.')",
    replacement: '"Stryker was here!"',
    reason: 'A split text has a first part; the default is for the compiler.'
  },
  {
    file: 'src/lib/validation.ts',
    line: 'if (timeZones.has(name)) return true',
    replacement: 'false',
    reason: 'What is known of names only spares time.'
  },
  {
    file: 'src/lib/validation.ts',
    line: '/^[A-Za-z]/.test(name) && new Intl.DateTimeFormat(',
    replacement: '/[A-Za-z]/',
    reason: '`Intl` refuses what begins otherwise and still has a letter.'
  },
  {
    file: 'src/lib/validation.ts',
    line: '/^[A-Za-z]/.test(name) && new Intl.DateTimeFormat(',
    replacement: '"Stryker was here!"',
    reason: '`Intl` throws if there is no such zone; what it says of others is never empty.'
  },
  {
    file: 'src/lib/validation.ts',
    line: 'if (isRight && timeZones.size < 1000) timeZones.add(name)',
    replacement: 'false',
    reason: 'What is known of names only spares time.'
  },
  {
    file: 'src/lib/validation.ts',
    line: 'if (isRight && timeZones.size < 1000) timeZones.add(name)',
    replacement: 'timeZones.size >= 1000',
    reason: 'What is known of names only spares time.'
  },
  {
    file: 'src/lib/validation.ts',
    line: 'if (isRight && timeZones.size < 1000) timeZones.add(name)',
    replacement: 'true',
    reason: 'It bounds memory; what is a time zone stays the same.'
  },
  {
    file: 'src/lib/validation.ts',
    line: 'if (isRight && timeZones.size < 1000) timeZones.add(name)',
    replacement: 'timeZones.size <= 1000',
    reason: 'It bounds memory; what is a time zone stays the same.'
  },
  {
    file: 'src/lib/validation.ts',
    line: '} catch {',
    replacement: '{}',
    reason: 'What is undefined counts as wrong, too.'
  },
  {
    file: 'src/lib/validation.ts',
    line: 'Object.entries(FORMATS).map((',
    replacement: '""',
    reason: 'Ajv takes an empty type of a format for that of texts.'
  },
  {
    file: 'src/db/bound.ts',
    line: "if (name === 'constructor') continue",
    replacement: 'false',
    reason: "Nobody calls a view's constructor as a method."
  },
  {
    file: 'src/db/bound.ts',
    line: "if (name === 'constructor') continue",
    replacement: '""',
    reason: "Nobody calls a view's constructor as a method."
  },
  {
    file: 'src/db/compact.ts',
    line: "if (path === ':memory:' ||",
    replacement: 'false',
    reason: 'It is not the name of a file either.'
  },
  {
    file: 'src/db/compact.ts',
    line: "if (path === ':memory:' ||",
    replacement: '""',
    reason: 'It is not the name of a file either.'
  },
  {
    file: 'src/db/compact.ts',
    line: "sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')",
    replacement: '""',
    reason: 'Closing the only connection does the same.'
  },
  {
    file: 'src/db/connection.ts',
    line: "const mustKeep = process.versions.node.startsWith('24.')",
    replacement: "process.versions.node.endsWith('24.')",
    reason: 'It keeps Node 24 from aborting; what is kept is never read.'
  },
  {
    file: 'src/db/connection.ts',
    line: "const mustKeep = process.versions.node.startsWith('24.')",
    replacement: '""',
    reason: 'It keeps Node 24 from aborting; what is kept is never read.'
  },
  {
    file: 'src/db/connection.ts',
    line: 'const kept: unknown[] = []',
    replacement: '["Stryker was here"]',
    reason: 'It keeps Node 24 from aborting; what is kept is never read.'
  },
  {
    file: 'src/db/connection.ts',
    line: 'if (mustKeep) kept.push(object)',
    replacement: 'true',
    reason: 'It keeps Node 24 from aborting; what is kept is never read.'
  },
  {
    file: 'src/db/connection.ts',
    line: 'if (mustKeep) kept.push(object)',
    replacement: 'false',
    reason: 'It keeps Node 24 from aborting; what is kept is never read.'
  },
  {
    file: 'src/db/database.ts',
    line: "if (path !== ':memory:') ensureDirectory(dirname(path))",
    replacement: 'true',
    reason: 'It would look for the working directory, which is there.'
  },
  {
    file: 'src/db/database.ts',
    line: "if (path !== ':memory:') ensureDirectory(dirname(path))",
    replacement: '""',
    reason: 'It would look for the working directory, which is there.'
  },
  {
    file: 'src/db/database.ts',
    line: "sqlite.exec('PRAGMA foreign_keys = ON')",
    replacement: '""',
    reason: 'The driver turns them on as well, though other builds of SQLite do not.'
  },
  {
    file: 'src/db/database.ts',
    line: 'const NO_ROOM =',
    replacement: '16 * 1024 / 1024',
    reason: 'To notice it takes a disk that is nearly full.'
  },
  {
    file: 'src/db/database.ts',
    line: 'const NO_ROOM =',
    replacement: '16 / 1024',
    reason: 'To notice it takes a disk that is nearly full.'
  },
  {
    file: 'src/db/database.ts',
    line: 'if (maxBytes !== Infinity) sqlite.exec(',
    replacement: 'true',
    reason: 'SQLite passes over a limit that is no number.'
  },
  {
    file: 'src/db/database.ts',
    line: 'return maxBytes !== Infinity && shrinker.used > usable',
    replacement: 'true',
    reason: 'Nothing is more than Infinity.'
  },
  {
    file: 'src/db/database.ts',
    line: 'return maxBytes !== Infinity && shrinker.used > usable',
    replacement: 'shrinker.used >= usable',
    reason: 'A page more or less is reserved.'
  },
  {
    file: 'src/db/database.ts',
    line: 'const written = commits.write(maxBytes === Infinity ? run',
    replacement: 'false',
    reason: 'Without a limit, only a full disk gives that error, and a full disk has no room.'
  },
  {
    file: 'src/db/database.ts',
    line: "if (path === ':memory:') return true",
    replacement: 'false',
    reason: 'It would ask for the disk of the working directory, which has room.'
  },
  {
    file: 'src/db/database.ts',
    line: "if (path === ':memory:') return true",
    replacement: '""',
    reason: 'It would ask for the disk of the working directory, which has room.'
  },
  {
    file: 'src/db/database.ts',
    line: "if (path === ':memory:') return true",
    replacement: 'true',
    reason: 'To notice it takes a disk that is nearly full.'
  },
  {
    file: 'src/db/database.ts',
    line: 'return bavail * bsize > NO_ROOM',
    replacement: 'true',
    reason: 'To notice it takes a disk that is nearly full.'
  },
  {
    file: 'src/db/database.ts',
    line: 'return bavail * bsize > NO_ROOM',
    replacement: 'bavail * bsize >= NO_ROOM',
    reason: 'To notice it takes a disk that is nearly full.'
  },
  {
    file: 'src/db/database.ts',
    line: 'if (/^SQLITE_(CANTOPEN|READONLY|IOERR_LOCK)/',
    replacement: '/SQLITE_(CANTOPEN|READONLY|IOERR_LOCK)/',
    reason: "Each of SQLite's codes begins like this."
  },
  {
    file: 'src/db/database.ts',
    line: '/^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|BUSY|NOMEM)/',
    replacement: '/SQLITE_(FULL|READONLY|IOERR|CANTOPEN|BUSY|NOMEM)/',
    reason: "Each of SQLite's codes begins like this."
  },
  {
    file: 'src/db/database.ts',
    line: '/^SQLITE_(CORRUPT|NOTADB)/',
    replacement: '/SQLITE_(CORRUPT|NOTADB)/',
    reason: "Each of SQLite's codes begins like this."
  },
  {
    file: 'src/db/database.ts',
    line: 'return code !== undefined && UNWRITABLE.has(code)',
    replacement: 'true',
    reason: 'The set has no undefined; the condition is for the compiler.'
  },
  {
    file: 'src/db/group-commit.ts',
    line: "const isLight = place === 'turn' &&",
    replacement: 'true',
    reason: 'The transaction for light lanes leaves what is no turn to the ordinary one.'
  },
  {
    file: 'src/db/group-commit.ts',
    line: 'const first = this.#slices > 0 ?',
    replacement: 'true',
    reason: 'It spares a look at the lane.'
  },
  {
    file: 'src/db/group-commit.ts',
    line: 'const first = this.#slices > 0 ?',
    replacement: 'this.#slices >= 0',
    reason: 'It spares a look at the lane.'
  },
  {
    file: 'src/db/group-commit.ts',
    line: 'if (this.#lanes.isEmpty) return',
    replacement: 'false',
    reason: 'It spares an empty transaction.'
  },
  {
    file: 'src/db/group-commit.ts',
    line: 'if (!this.#lanes.isEmpty) this.#commitTogether(this.#chooseLight())',
    replacement: 'true',
    reason: 'It spares an empty transaction.'
  },
  {
    file: 'src/db/group-commit.ts',
    line: 'if (this.#slices > 0) had.add(writer.lane)',
    replacement: 'true',
    reason: 'Without slices, nobody asks which lanes had a turn.'
  },
  {
    file: 'src/db/group-commit.ts',
    line: 'if (this.#slices > 0) had.add(writer.lane)',
    replacement: 'this.#slices >= 0',
    reason: 'Without slices, nobody asks which lanes had a turn.'
  },
  {
    file: 'src/db/group-commit.ts',
    line: 'if (this.#slices === 0) return',
    replacement: 'false',
    reason: 'It spares looking for slices, of which there are none.'
  },
  {
    file: 'src/db/group-commit.ts',
    line: 'this.#slices--',
    replacement: 'this.#slices++',
    reason: 'The number only spares looking for slices.'
  },
  {
    file: 'src/db/lanes.ts',
    line: 'this.#turn = (this.#turn + 1) % OLDEST_EVERY',
    replacement: 'this.#turn - 1',
    reason: 'Counting down comes to zero as often.'
  },
  {
    file: 'src/db/lanes.ts',
    line: 'if ((found !== undefined && used >= least)',
    replacement: 'true',
    reason: 'At first, the least is Infinity, which nobody has used.'
  },
  {
    file: 'src/db/migrate.ts',
    line: 'const names = readdirSync(directory)',
    replacement: "readdirSync(directory).filter(name => name.endsWith('.sql'))",
    reason: 'Node sorts them on most systems, though it does not promise it.'
  },
  {
    file: 'src/db/row-watcher.ts',
    line: 'if (!this.isOn) return',
    replacement: 'false',
    reason: 'It spares two functions that nothing calls.'
  },
  {
    file: 'src/db/row-watcher.ts',
    line: "sqlite.function('rows_watched',",
    replacement: 'false',
    reason: 'It spares serializing rows of which nobody is told.'
  },
  {
    file: 'src/db/row-watcher.ts',
    line: 'this.#sink?.push([code as number, values as string])',
    replacement: 'this.#sink.push',
    reason: 'The trigger asks before whether there is a list.'
  },
  {
    file: 'src/db/row-watcher.ts',
    line: "shape.table === table && shape.kind === 'insert')",
    replacement: 'true',
    reason: 'Of the shapes of a table, that of insertions is the first.'
  },
  {
    file: 'src/db/row-watcher.ts',
    line: '?.columns.indexOf(column) ?? -1)',
    replacement: '+1',
    reason: 'If there is no such shape, nothing is read.'
  },
  {
    file: 'src/db/shrink.ts',
    line: 'this.#isAwake = true',
    replacement: 'false',
    reason: 'Several at once free more with each commit, and stop at the same size.'
  },
  {
    file: 'src/db/shrink.ts',
    line: 'return free > SPARE && free > this.#pages.get()! * SPARE_SHARE',
    replacement: 'free >= SPARE',
    reason: 'A page more or less is kept.'
  },
  {
    file: 'src/db/shrink.ts',
    line: 'return free > SPARE && free > this.#pages.get()! * SPARE_SHARE',
    replacement: 'free >= this.#pages.get()! * SPARE_SHARE',
    reason: 'A page more or less is kept.'
  },
  {
    file: 'src/db/undo-log.ts',
    line: 'const LEFT_OUT = new Set(',
    replacement: '""',
    reason: '`trials` changes only while its triggers are not there.'
  },
  {
    file: 'src/db/undo-log.ts',
    line: 'return this.#trials.size > 0 && this.#trials.has(sandbox)',
    replacement: 'true',
    reason: 'It spares a look into an empty set.'
  },
  {
    file: 'src/db/undo-log.ts',
    line: 'return this.#trials.size > 0 && this.#trials.has(sandbox)',
    replacement: 'this.#trials.size >= 0',
    reason: 'It spares a look into an empty set.'
  },
  {
    file: 'src/db/undo-log.ts',
    line: 'if (!this.#trials.delete(sandbox)) return',
    replacement: 'false',
    reason: 'It spares looking for triggers that are not there.'
  },
  {
    file: 'src/db/undo-log.ts',
    line: 'const by = last + 1 - Math.min(',
    replacement: 'last + 1 + Math.min(row, first ?? row, noted ?? row)',
    reason: 'Only the order of the rows counts, not how far they move.'
  },
  {
    file: 'src/db/undo-log.ts',
    line: 'const by = last + 1 - Math.min(',
    replacement: 'noted && row',
    reason: 'A row whose place is taken then makes room again.'
  },
  {
    file: 'src/db/undo-log.ts',
    line: 'if (statement === undefined) this.#statements.set(',
    replacement: 'true',
    reason: 'It spares preparing a statement again.'
  }
]
