import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/db/addon.ts',
    line: 'return folder === path ? [] : [folder, ...foldersAbove(folder)]',
    replacement: '["Stryker was here"]',
    reason: 'No project is in a folder of this name.'
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
