import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bare } from '../lib/call-site.js'
import { fileProblem } from '../lib/file-problem.js'
import { makeFolder } from '../lib/make-folder.js'
import { writePrivate } from '../lib/private-file.js'
import type { TestContext, VitestTask } from '../test-control/handle/handle.js'
import { RECORDING_ENDING } from './format.js'

/** The common part of test contexts. */
interface RunningTest {
  readonly name: string
  /** Registers a function to call at the end of the test if it failed. */
  readonly onFailure: (act: () => Promise<void>) => void
  /** Adds a line to the output of the test. */
  readonly say: (text: string) => void
}

/** Maximum length of a file name, apart from its extension, in bytes. */
const MOST_BYTES = 200

/**
 * Writes a recording into a directory if a test fails.
 * @param read makes the recording
 * @returns a function that calls `read` early, for a sandbox that is removed before the test ends
 * @throws {TypeError} if `test` is not the context of a test
 */
export function recordOnFailure(test: TestContext, directory: string, read: () => Promise<string>) {
  const { name, onFailure, say } = runningTest(test)
  let text: Promise<string> | undefined
  const readNow = () => (text ??= read())
  onFailure(async () => {
    say(`recording: ${writeNew(directory, name, gzipSync(await readNow()))}`)
  })
  return readNow
}

function runningTest(test: TestContext): RunningTest {
  // Vitest's context is a function.
  if (test !== Object(test)) throw notATest()
  if ('onTestFailed' in test) {
    return { name: nameOfTask(test.task), onFailure: (act) => test.onTestFailed(act), say: () => undefined }
  }
  if ('teardown' in test) {
    return {
      // TAP is the name of a file's root test.
      name: test.fullname.replace(' TAP ', ' '),
      onFailure: (act) => test.teardown(async () => (test.passing() ? undefined : act())),
      say: (text) => test.comment(text)
    }
  }
  if ('after' in test) {
    return {
      name: test.fullName ?? test.name,
      onFailure: (act) => test.after(async () => (test.passed ? undefined : act())),
      say: (text) => test.diagnostic(text)
    }
  }
  throw notATest()
}

function nameOfTask({ name, suite }: VitestTask): string {
  return suite === undefined ? name : `${nameOfTask(suite)} ${name}`
}

/** Writes a new file, named after a test. @returns its path */
function writeNew(directory: string, name: string, content: Buffer): string {
  const stem = name.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
  const head = beginningOf(stem) || 'test'
  try {
    makeFolder(directory)
    for (let number = 1; ; number++) {
      const path = join(directory, `${head}${number === 1 ? '' : `-${number}`}${RECORDING_ENDING}`)
      try {
        writePrivate(path, content, 'wx')
        return path
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    }
  } catch (error) {
    throw new Error(`the recording of a failed test: ${directory} ${fileProblem(error, 'written')}`, {
      cause: error
    })
  }
}

/** Cuts a text at a character boundary. */
function beginningOf(text: string): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, MOST_BYTES), { stream: true })
}

const notATest = () => bare(new TypeError('record needs the context of a test of node:test, tap or Vitest'))
