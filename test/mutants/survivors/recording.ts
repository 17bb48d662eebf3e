import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/recording/viewer.ts',
    line: '} finally {',
    replacement: '{}',
    reason: 'A database in memory that stays open only takes room.'
  },
  {
    file: 'src/recording/viewer.ts',
    line: 'close(): void {',
    replacement: '{}',
    reason: 'A database in memory that stays open only takes room.'
  },
  {
    file: 'src/recording/replay.ts',
    line: 'close(): void {',
    replacement: '{}',
    reason: 'A database in memory that stays open only takes room.'
  },
  {
    file: 'src/recording/from-memory.ts',
    line: '} finally {',
    replacement: '{}',
    reason: 'A database in memory that stays open only takes room.'
  },
  {
    file: 'src/recording/moments.ts',
    line: '} finally {',
    replacement: '{}',
    reason: 'A database in memory that stays open only takes room.'
  },
  {
    file: 'src/recording/read-lines.ts',
    line: '} finally {',
    replacement: '{}',
    reason: 'A file that nobody reads any more is closed when its handle is collected.'
  },
  {
    file: 'src/recording/viewer.ts',
    line: '#timeline: Entry[] = []',
    replacement: '["Stryker was here"]',
    reason: 'The beginning of a view sets it before anybody reads it.'
  },
  {
    file: 'src/recording/viewer.ts',
    line: '#isReplaced = false',
    replacement: 'true',
    reason: 'The beginning of a view sets it before anybody reads it.'
  },
  {
    file: 'src/recording/replay.ts',
    line: '#changes: WrittenChange[] = []',
    replacement: '["Stryker was here"]',
    reason: 'The first checkpoint empties it, and before that nobody reads it.'
  },
  {
    file: 'src/recording/viewer.ts',
    line: 'isControl: control === true,',
    replacement: 'true',
    reason: 'Only the journal itself asks for it: what is shown has the field control of the step.'
  },
  {
    file: 'src/recording/viewer.ts',
    line: 'isControl: control === true,',
    replacement: 'false',
    reason: 'Only the journal itself asks for it: what is shown has the field control of the step.'
  },
  {
    file: 'src/recording/viewer.ts',
    line: 'isControl: control === true,',
    replacement: 'control !== true',
    reason: 'Only the journal itself asks for it: what is shown has the field control of the step.'
  },
  {
    file: 'src/recording/viewer.ts',
    line: 'const timeline = added === undefined ?',
    replacement: 'true',
    reason: 'The whole timeline has the new entries, too; to read it all only takes longer.'
  },
  {
    file: 'src/recording/viewer.ts',
    line: '#addedToTimeline(changes: readonly WrittenChange[]): Entry[] | undefined {',
    replacement: '{}',
    reason: 'Without it, whole timelines are compared, which only takes longer.'
  },
  {
    file: 'src/recording/recordings.ts',
    line: 'readonly #keepReady = (file: RecordingFile): void => {',
    replacement: '{}',
    reason: 'It only bounds the memory of many recordings.'
  },
  {
    file: 'src/recording/recordings.ts',
    line: 'if (this.#keep === Infinity) return',
    replacement: 'false',
    reason: 'There are never more than infinitely many, so it only spares a look into the directory.'
  },
  {
    file: 'src/recording/file-recorder.ts',
    line: '#isInterrupted = true',
    replacement: 'false',
    reason: 'Before the beginning there are no row changes left until the next checkpoint, so one is due anyway.'
  }
]
