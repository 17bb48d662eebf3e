import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { fileProblem } from '../lib/file-problem.js'
import { makeFolder } from '../lib/make-folder.js'
import { toTimestamp, wallTime } from '../lib/time.js'
import { OptionError, type Options } from '../options.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { FileRecorder } from './file-recorder.js'
import { RECORDING_ENDING } from './format.js'
import { manifestOf, recordingName } from './manifest.js'
import { recordingFile } from './recording-file.js'

/** The names of files that may be removed. */
const OWN_NAME = /^\d{8}T\d{9}Z-.+\.svcmock$/

/** Maximum length of a sandbox's name in a file name. */
const LONGEST_NAME = 100

type RecordingFile = ReturnType<typeof recordingFile>

/** The recordings of one run of a server: a file for each sandbox, created at its first step. */
export class Recordings {
  readonly #open = new Map<string, { readonly file: RecordingFile; readonly recorder: FileRecorder }>()
  readonly #ending = new Set<Promise<void>>()
  /** Must be set before the first sandbox is used. */
  plane: ControlPlane | undefined
  #hasWarned = false

  /** @throws {OptionError} if the directory cannot be created */
  constructor(
    private readonly options: Pick<Options, 'record' | 'recordKeep'>,
    private readonly logger: Logger
  ) {
    const { record } = options
    try {
      makeFolder(record)
    } catch (error) {
      throw new OptionError(`--record: the directory ${record} ${fileProblem(error, 'written')}`, { cause: error })
    }
  }

  readonly newRecorder = (id: string): FileRecorder => {
    let file: RecordingFile | undefined
    let path = ''
    const begun = wallTime()
    const recorder = new FileRecorder(
      {
        append: (line) => {
          if (file === undefined) {
            path = this.#newPath(id, begun)
            file = recordingFile(path, (error) => {
              recorder.lose()
              this.#warn(error)
            })
            this.#open.set(path, { file, recorder })
          }
          file.append(line)
        },
        end: () => {
          if (file !== undefined) this.#end(path, file)
        }
      },
      () => manifestOf(this.plane!, id, begun)
    )
    return recorder
  }

  /** Ends all recordings. */
  async close(): Promise<void> {
    for (const { recorder } of [...this.#open.values()]) recorder.end()
    await Promise.all(this.#ending)
  }

  #end(path: string, file: RecordingFile): void {
    // Until all of it is written, the file must not be removed, nor its name reused.
    const ending = file.end().finally(() => {
      this.#open.delete(path)
      this.#ending.delete(ending)
    })
    this.#ending.add(ending)
  }

  #newPath(id: string, begun: number): string {
    this.#removeOldest()
    const time = toTimestamp(begun).replaceAll(/[-:.]/g, '')
    const name = fileNameOf(recordingName(this.plane!.sandboxNames, id))
    for (let number = 1; ; number++) {
      const path = join(this.options.record, `${time}-${name}${number === 1 ? '' : `-${number}`}${RECORDING_ENDING}`)
      if (!this.#open.has(path) && !existsSync(path)) return path
    }
  }

  /** Makes room for one more recording. Open ones stay. */
  #removeOldest(): void {
    const { record, recordKeep } = this.options
    if (recordKeep === 'all') return
    try {
      const names = readdirSync(record).filter((name) => OWN_NAME.test(name))
      for (const name of names.sort().slice(0, Math.max(0, names.length + 1 - recordKeep))) {
        const path = join(record, name)
        if (!this.#open.has(path)) rmSync(path)
      }
    } catch (error) {
      this.#warn(error)
    }
  }

  #warn(error: unknown): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    this.logger.warn(
      { err: error },
      `a recording in ${this.options.record} has gaps: ${(error as Error).message}; ` +
        'the server goes on, and will try again'
    )
  }
}

/** The name of a sandbox in a file name. */
export const fileNameOf = (name: string): string => name.replaceAll(/[^\w.-]/g, '_').slice(0, LONGEST_NAME)
