import { accessSync, constants, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fileProblem } from '../lib/file-problem.js'
import { writePrivate } from '../lib/private-file.js'
import { sandboxIdOf } from '../lib/secrets.js'
import { namedKeys, type Options } from '../options.js'
import { recordingName } from '../recording/manifest.js'
import { fileNameOf } from '../recording/recordings.js'
import { textOfCall } from './ctl-call.js'
import { printError } from './print.js'
import type { Target } from './target.js'
import { UsageError } from './usage.js'

interface RunRecording {
  /** The server makes a file for each sandbox in it. */
  readonly directory: string
  /** Keeps the recording of one sandbox, after the server has stopped. @throws {UsageError} if it cannot be written */
  readonly keep: (options: Options, key: string | undefined) => void
  /** Removes the directory. */
  readonly end: () => void
}

/** Prepares to record a run, in a directory beside the file. @throws {UsageError} if it cannot be created */
export function beginRecording(file: string): RunRecording {
  const directory = checked(file, () => mkdtempSync(`${file}-`))
  return {
    directory,
    keep: (options, key) => {
      const names = new Map([...namedKeys(options)].map(([key, name]) => [sandboxIdOf(key), name]))
      const id = sandboxIdOf(key ?? '')
      const ending = `-${fileNameOf(recordingName(names, id))}`
      const [made] = readdirSync(directory).filter((name) => name.replace(/(-\d+)?\.svcmock$/, '').endsWith(ending))
      if (made !== undefined) checked(file, () => renameSync(join(directory, made), file))
      else printError(`svc-mock: ${file} is not written, because the command did not use its sandbox`)
    },
    end: () => rmSync(directory, { recursive: true, force: true })
  }
}

/** Writes a recording of what another server has in memory. @throws {UsageError} if it cannot be written */
export async function writeFromMemory(file: string, target: Target): Promise<void> {
  const text = await textOfCall(target, { method: 'GET', path: '/recording' })
  checked(file, () => writePrivate(file, gzipSync(text)))
}

/** Finds problems before the run rather than after it. @throws {UsageError} if a file cannot be written */
export function checkWritable(file: string): void {
  if (existsSync(file) && statSync(file).isDirectory())
    throw new UsageError(`--record: ${file} is a directory; name the file to write`)
  checked(file, () => accessSync(existsSync(file) ? file : dirname(file), constants.W_OK))
}

function checked<T>(file: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new UsageError(`--record: ${file} ${fileProblem(error, 'written')}`)
  }
}
