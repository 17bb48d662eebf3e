import { basename } from 'node:path'
import { readConsole } from '../http/static-page.js'
import { selfContainedPage } from '../http/viewer/pages.js'
import { serveRecordings, type Shown } from '../http/viewer/server.js'
import { fileProblem } from '../lib/file-problem.js'
import { kept } from '../lib/kept.js'
import { writePrivate } from '../lib/private-file.js'
import { BUILT_IN } from '../profile/profile.js'
import { requireProfile } from '../recording/playback.js'
import { openRecording } from '../recording/recording.js'
import { inFile } from '../recording/recording-error.js'
import { viewRecording } from '../recording/viewer.js'
import { openProfile } from '../resources/open-profile.js'
import { readFlags } from './command.js'
import { SHOW_FLAGS } from './commands/show.js'
import { print, printError } from './print.js'
import { stopSignal } from './stop-signal.js'
import { keepInput, UsageError, wholeNumberOf } from './usage.js'

/** Shows recordings in a browser. @returns the exit code */
export async function showCommand(args: string[]): Promise<number> {
  const { values, positionals: files } = readFlags(SHOW_FLAGS, args, { allowPositionals: true })
  const { html, profile } = values
  const port = wholeNumberOf('--port', values.port ?? '0', 0, 65_535)
  const from = wholeNumberOf('--from', values.from ?? '1', 1, Number.MAX_SAFE_INTEGER)
  if (files.length === 0) throw new UsageError('show needs a file')
  if (html === undefined && values.from !== undefined) throw new UsageError('--from needs --html')
  if (html !== undefined && files.length > 1) throw new UsageError('--html takes one file')
  if (html !== undefined) keepInput('--html', html, files)
  if (html !== undefined && values.port !== undefined) throw new UsageError('--html and --port exclude each other')
  const shown: Shown[] = []
  for (const file of files) shown.push(await toShown(file, profile ?? ''))
  if (html === undefined) await serveUntilStopped(shown, port)
  else await writePage(shown[0]!, html, from)
  return 0
}

/** @param given the profile of a recording with another one than the built-in */
export async function toShown(file: string, given: string | object): Promise<Shown> {
  try {
    const recording = await openRecording(file)
    // A recording without a profile can be shown next to one that needs it.
    const profile = await openProfile(recording.manifest.profile === BUILT_IN.name ? '' : given)
    requireProfile(recording.manifest, profile)
    return {
      file,
      async *view(from) {
        try {
          yield* viewRecording(recording, profile, { from })
        } catch (error) {
          throw inFile(file, error)
        }
      }
    }
  } catch (error) {
    throw inFile(file, error)
  }
}

async function serveUntilStopped(shown: readonly Shown[], port: number): Promise<void> {
  const { urls, close } = await serveRecordings(shown, port)
  for (const [index, url] of urls.entries()) print(`${url}  ${shown[index]!.file}`)
  await stopSignal()
  await close()
}

const builtConsole = kept(readConsole)

/** Writes a page that shows a recording, without a server. */
export async function writePage({ file, view }: Shown, path: string, from = 1): Promise<void> {
  const lines: string[] = []
  for await (const line of view(from)) lines.push(line)
  const { next, problem } = JSON.parse(lines.at(-1)!) as { next?: number; problem?: string }
  const page = selfContainedPage(await builtConsole(), basename(file), lines)
  try {
    writePrivate(path, page)
  } catch (error) {
    throw new Error(`${path} ${fileProblem(error, 'written')}`, { cause: error })
  }
  if (problem !== undefined) printError(`svc-mock: ${file} ${problem}; the page shows what comes before`)
  if (next !== undefined)
    printError(`svc-mock: the page ends before step ${next}; use --from ${next} for another page from there`)
}
