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
    file: 'src/http/test-control/guard.ts',
    line: "const name = hostName(host ?? '')",
    replacement: '"Stryker was here!"',
    reason: 'A request without a Host was refused by requireHost(); the default is for the compiler.'
  },
  {
    file: 'src/http/test-control/guard.ts',
    line: "isLoopback(request.socket.remoteAddress ?? '')",
    replacement: '"Stryker was here!"',
    reason: 'Neither is an address of this machine.'
  },
  {
    file: 'src/http/test-control/guard.ts',
    line: 'const isOwn = host !== undefined &&',
    replacement: 'true',
    reason: 'A request without a Host was refused by requireHost(); the comparison is for the compiler.'
  },
  {
    file: 'src/http/test-control/guard.ts',
    line: '(origin !== undefined && options.corsOrigin.includes(origin))',
    replacement: 'true',
    reason: 'No list of texts includes undefined; the comparison is for the compiler.'
  },
  {
    file: 'src/http/test-control/guard.ts',
    line: 'const digest = (text: string) =>',
    replacement: '""',
    reason: 'In any encoding, all digests have the same length, and differ if the texts do.'
  },
  {
    file: 'src/lib/ip.ts',
    line: "const [address = '', prefixText, ...rest] = text.split('/')",
    replacement: '"Stryker was here!"',
    reason: 'A split text has a first part; the default is for the compiler.'
  },
  {
    file: 'src/lib/ip.ts',
    line: "const address = text.split('%')[0] ?? ''",
    replacement: '"Stryker was here!"',
    reason: 'A split text has a first part; the default is for the compiler.'
  },
  {
    file: 'src/lib/ip.ts',
    line: 'const [, inBrackets, withPort] =',
    replacement: '["Stryker was here"]',
    reason: 'The first item is not looked at.'
  },
  {
    file: 'src/lib/ip.ts',
    line: '? address.replace(/(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)$/',
    replacement: '/(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)/',
    reason: 'What follows would be no address, and that was found before.'
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
    file: 'src/db/database.ts',
    line: 'watched: readonly WatchedTable[] = []',
    replacement: '["Stryker was here"]',
    reason: 'What has no name is a table that there is not, and such tables are ignored.'
  },
  {
    file: 'src/db/database.ts',
    line: "if (path === ':memory:') return true",
    replacement: "path !== ':memory:'",
    reason: 'To notice it takes a disk that is nearly full.'
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
    file: 'src/db/group-commit.ts',
    line: "if (place !== 'turn') this.#slices++",
    replacement: 'true',
    reason: 'The number only spares looking for slices.'
  },
  {
    file: 'src/db/group-commit.ts',
    line: "if (place !== 'turn') this.#slices++",
    replacement: '""',
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
  },
  {
    file: 'src/http/credentials.ts',
    line: 'if (authorization !== undefined) {',
    replacement: 'true',
    reason: 'What is undefined is no session; the condition is for the compiler.'
  },
  {
    file: 'src/http/credentials.ts',
    line: 'const secret = /^Bearer',
    replacement: '/^Bearer +(\\S.*)/i',
    reason: 'A header has no line break, so the rest of it is all of it.'
  },
  {
    file: 'src/http/credentials.ts',
    line: "return { kind: 'session', secret }",
    replacement: '""',
    reason: 'A kind is only compared with that of API keys.'
  },
  {
    file: 'src/http/hooks/refuse-duplicate-headers.ts',
    line: 'if (name === undefined ||',
    replacement: 'false',
    reason: 'It spares comparing the name of a header with undefined, which it is not.'
  },
  {
    file: 'src/journal/change-capture.ts',
    line: 'notes.own = notes.own.length === 0',
    replacement: 'false',
    reason: 'A copy of the list is the same list.'
  },
  {
    file: 'src/journal/change-capture.ts',
    line: 'if (eventHub.isOn) this.#tell',
    replacement: 'true',
    reason: 'It spares putting together what a hub that is off ignores.'
  },
  {
    file: 'src/journal/change-capture.ts',
    line: '#fired: Fired[] = []',
    replacement: '["Stryker was here"]',
    reason: 'Each write replaces it before anything fires.'
  },
  {
    file: 'src/journal/coverage.ts',
    line: 'if (names === undefined) statusNames.set',
    replacement: 'true',
    reason: 'The names that are kept only spare time.'
  },
  {
    file: 'src/journal/coverage.ts',
    line: 'if (name === undefined) names.set',
    replacement: 'true',
    reason: 'The names that are kept only spare time.'
  },
  {
    file: 'src/journal/coverage.ts',
    line: 'if (shared === undefined) edgeNames.set',
    replacement: 'true',
    reason: 'The names that are kept only spare memory.'
  },
  {
    file: 'src/journal/event-hub.ts',
    line: 'const [, run, count] =',
    replacement: '"Stryker was here!"',
    reason: 'That is no id, either.'
  },
  {
    file: 'src/journal/event-hub.ts',
    line: 'const [, run, count] =',
    replacement: '["Stryker was here"]',
    reason: 'It has no second item, either.'
  },
  {
    file: 'src/journal/event-hub.ts',
    line: 'if (run === undefined ||',
    replacement: 'false',
    reason: 'What is not a number is no run.'
  },
  {
    file: 'src/journal/event-hub.ts',
    line: 'if (this.#present !== undefined && this.#listeners.size === 0',
    replacement: 'true',
    reason: 'To turn off what is off changes nothing.'
  },
  {
    file: 'src/journal/event-hub.ts',
    line: 'if (this.#listeners.delete(listener) && this.#listeners.size === 0)',
    replacement: 'true',
    reason: 'When somebody left counts only once nobody listens, and then the last one has left.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'return body === call.body ? request',
    replacement: 'false',
    reason: 'A copy of the request is the same request.'
  },
  {
    file: 'src/journal/journal.ts',
    line: '#ring: (OpenRecord | undefined)[] = []',
    replacement: '["Stryker was here"]',
    reason: 'A place in the ring is read only after a record was put there.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'this.#ring = []',
    replacement: '["Stryker was here"]',
    reason: 'A place in the ring is read only after a record was put there.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'const body = call.body === undefined ? 0',
    replacement: 'false',
    reason: 'What is undefined takes up nothing.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'const kept = changes.length <= NOTE_LIMIT',
    replacement: 'false',
    reason: 'A copy of the list is the same list.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'const kept = changes.length <= NOTE_LIMIT',
    replacement: 'changes.length < NOTE_LIMIT',
    reason: 'A copy of the list is the same list.'
  },
  {
    file: 'src/journal/journal.ts',
    line: '&& this.#oldest < this.#next) this.#dropOldest()',
    replacement: 'true',
    reason: 'Without records there are no bytes.'
  },
  {
    file: 'src/journal/journal.ts',
    line: '&& this.#oldest < this.#next) this.#dropOldest()',
    replacement: 'this.#oldest <= this.#next',
    reason: 'Without records there are no bytes.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'if (oldest.notes !== NO_NOTES &&',
    replacement: 'true',
    reason: 'It spares looking for a record that is not there.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'const event = fired === undefined ? 0',
    replacement: 'false',
    reason: 'What is undefined takes up nothing.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'record.request = !isOmitted && body > LARGE_BODY',
    replacement: 'body >= LARGE_BODY',
    reason: 'A body is shown the same, whether it is kept as text or not.'
  },
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
    file: 'src/journal/size.ts',
    line: 'if (size <= enough) for (const element of item)',
    replacement: 'true',
    reason: 'The loop ends before it comes to the items; not to queue them spares time.'
  },
  {
    file: 'src/journal/unread.ts',
    line: 'value === null || schemas.some(isAny)',
    replacement: 'false',
    reason: 'null has no fields to go through.'
  },
  {
    file: 'src/journal/unread.ts',
    line: 'const found = named($ref.replace(',
    replacement: '/#/',
    reason: 'A name has one # only, at its end.'
  },
  {
    file: 'src/journal/unread.ts',
    line: 'return parts.length === 0 ? [schema]',
    replacement: 'false',
    reason: 'Without parts the other way gives the same list.'
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
    file: 'src/lib/recency.ts',
    line: 'if (this.#newest?.item === item) return',
    replacement: 'false',
    reason: 'It spares taking the newest item out, to put it in again.'
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
    file: 'src/resources/backups/lifecycle.ts',
    line: '...(retries === undefined ? {} : { retries })',
    replacement: 'false',
    reason: 'JSON leaves out what is undefined; the distinction is for the compiler.'
  },
  {
    file: 'src/resources/backups/store.ts',
    line: 'if (surplus > 0)',
    replacement: 'surplus >= 0',
    reason: 'It spares a statement that would remove nothing.'
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
    file: 'src/resources/schedules/times.ts',
    line: "if (hasNoDate(line)) readPattern(line, 'UTC')",
    replacement: 'true',
    reason: 'For other lines, the next statement reads the same pattern.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'const once = onceAt(',
    replacement: '``',
    reason: 'It is the fast path; the longer way, by a pattern, comes to the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (once !== undefined) return once > after',
    replacement: 'false',
    reason: 'It is the fast path; the longer way, by a pattern, comes to the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'function onceAt(',
    replacement: '{}',
    reason: 'It is the fast path; the longer way, by a pattern, comes to the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (local === undefined) return undefined',
    replacement: 'true',
    reason: 'It is the fast path; the longer way, by a pattern, comes to the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (local === undefined) return undefined',
    replacement: 'false',
    reason: 'A time that is undefined leads to no offset, either.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (local === undefined) return undefined',
    replacement: 'local !== undefined',
    reason: 'It is the fast path; the longer way, by a pattern, comes to the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'return offset === undefined ? undefined : local - offset',
    replacement: 'true',
    reason: 'It is the fast path; the longer way, by a pattern, comes to the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (known.has(question))',
    replacement: 'false',
    reason: 'What is known of answers and patterns only spares time.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (known.size >= MOST_KNOWN) known.clear()',
    replacement: 'true',
    reason: 'What is known of answers and patterns only spares time.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (known.size >= MOST_KNOWN) known.clear()',
    replacement: 'false',
    reason: 'It bounds memory; the answers stay the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (known.size >= MOST_KNOWN) known.clear()',
    replacement: 'known.size > MOST_KNOWN',
    reason: 'What is known of answers and patterns only spares time.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (known.size >= MOST_KNOWN) known.clear()',
    replacement: 'known.size < MOST_KNOWN',
    reason: 'What is known of answers and patterns only spares time.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (patterns.size >= MOST_PATTERNS)',
    replacement: 'false',
    reason: 'It bounds memory; the answers stay the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'return next <= LAST_TIME &&',
    replacement: 'next < LAST_TIME',
    reason: 'The last time is no whole minute, and the next one is.'
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
  },
  {
    file: 'src/resources/stores.ts',
    line: 'if (workspace === undefined &&',
    replacement: 'true',
    reason: 'It spares a look for the workgroup: a workspace that is found has one.'
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
    file: 'src/resources/workspaces/lifecycle.ts',
    line: 'if (isActive) this.#planAutoStop(tx, next)',
    replacement: 'true',
    reason: 'It spares a statement: other states have no auto-stop, because it goes when a transition begins.'
  },
  {
    file: 'src/resources/workspaces/lifecycle.ts',
    line: 'return end > tx.now ? workspace :',
    replacement: 'false',
    reason: 'It spares a read: a row that did not change is read as it was written.'
  },
  {
    file: 'src/resources/workspaces/lifecycle.ts',
    line: "'Size.'",
    replacement: '""',
    reason: 'It describes a payload of an event, and such descriptions are shown nowhere.'
  },
  {
    file: 'src/sandboxes/fault-rule.ts',
    line: "errors.length === 0 && typeof min === 'string'",
    replacement: 'true',
    reason: 'What is no duration has no length, and is not longer than anything.'
  },
  {
    file: 'src/sandboxes/faults.ts',
    line: 'return probability === 1 ||',
    replacement: 'false',
    reason: 'It spares a draw, which is always less than 1.'
  },
  {
    file: 'src/sandboxes/long-reads.ts',
    line: 'return this.#counts.size > 0 &&',
    replacement: 'true',
    reason: 'It spares a look into an empty map.'
  },
  {
    file: 'src/sandboxes/long-reads.ts',
    line: 'return this.#counts.size > 0 &&',
    replacement: 'this.#counts.size >= 0',
    reason: 'It spares a look into an empty map.'
  },
  {
    file: 'src/sandboxes/long-reads.ts',
    line: 'const count = (this.#counts.get(sandbox) ?? 0) + by',
    replacement: '(this.#counts.get(sandbox) ?? 0) - by',
    reason: 'It comes back to 0 from below as well.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: "place: Place = 'slice', isDone = false",
    replacement: '""',
    reason: 'Only a turn and a rest are treated otherwise.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'if (idle === undefined ||',
    replacement: 'false',
    reason: 'The sandbox that was just kept is always there.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'version: this.#held++ * 2 ** 32',
    replacement: 'this.#held--',
    reason: 'These versions differ as well.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'version: this.#held++ * 2 ** 32',
    replacement: 'this.#held++ / 2 ** 32',
    reason: 'These versions differ as well, until there are very many.'
  },
  {
    file: 'src/sandboxes/resources.ts',
    line: 'if (this.#rooms.size >= MOST_KNOWN) this.#rooms.clear()',
    replacement: 'true',
    reason: 'What is known of the room only spares time, and takes up little.'
  },
  {
    file: 'src/sandboxes/resources.ts',
    line: 'if (this.#rooms.size >= MOST_KNOWN) this.#rooms.clear()',
    replacement: 'false',
    reason: 'What is known of the room only spares time, and takes up little.'
  },
  {
    file: 'src/sandboxes/resources.ts',
    line: 'if (this.#rooms.size >= MOST_KNOWN) this.#rooms.clear()',
    replacement: 'this.#rooms.size > MOST_KNOWN',
    reason: 'What is known of the room only spares time, and takes up little.'
  },
  {
    file: 'src/sandboxes/resources.ts',
    line: 'if (this.#rooms.size >= MOST_KNOWN) this.#rooms.clear()',
    replacement: 'this.#rooms.size < MOST_KNOWN',
    reason: 'What is known of the room only spares time, and takes up little.'
  },
  {
    file: 'src/sandboxes/store.ts',
    line: 'for (let left = SLICE; left > 0;)',
    replacement: 'left >= 0',
    reason: 'With nothing left to remove, the round more removes nothing.'
  },
  {
    file: 'src/sandboxes/store.ts',
    line: 'if (left === 0) break',
    replacement: 'false',
    reason: 'It spares statements that would remove nothing: snapshots, of which each removes one, come first.'
  },
  {
    file: 'src/sandboxes/store.ts',
    line: 'return rows > MANY ||',
    replacement: 'false',
    reason: 'It spares counting: with the rows that there are, it is even more.'
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
    file: 'src/sim/random.ts',
    line: 'draw < from + ALIKE',
    replacement: 'draw <= from + ALIKE',
    reason: 'The one draw more gives an id that begins otherwise, so it is not the one that is looked for.'
  },
  {
    file: 'src/sim/random.ts',
    line: 'const neighbours = places.get(place) ??',
    replacement: '+1',
    reason: 'A window begins at a multiple of 64, so it begins at neither.'
  },
  {
    file: 'src/sim/random.ts',
    line: 'if (neighbours.seen === from) return 0',
    replacement: 'false',
    reason: 'It spares looking through a window again, which gives no more.'
  },
  {
    file: 'src/sim/random.ts',
    line: 'const start = Math.max(from, used + 1)',
    replacement: 'used - 1',
    reason: 'What is used up stays used up, so to find it again changes nothing.'
  },
  {
    file: 'src/sim/rules.ts',
    line: 'rule.times !== null',
    replacement: 'true',
    reason: 'It spares two statements: counting down from always is always.'
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
    file: 'src/lib/describe-errors.ts',
    line: '.replaceAll(',
    replacement: '/\\s/g',
    reason: 'It is one line either way.'
  },
  {
    file: 'src/lib/document-file.ts',
    line: "yaml.parseDocument(text, { lineCounter: lines, logLevel: 'error' })",
    replacement: '""',
    reason: 'The library prints nothing on a level that it does not know.'
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
