// The sets of clients, and common parts of the benchmarks.
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Debian's Python, if installed, because the wrappers of version managers take longer than a client. */
const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'
// With this variable, Python would compile its imports in each run.
delete process.env.PYTHONDONTWRITEBYTECODE
const PROGRAMS = { mjs: process.execPath, py: PYTHON, sh: 'bash' }

export const here = (path) => fileURLToPath(new URL(path, import.meta.url))

const MAIN = here('../../dist/cli/main.js')

/** The initial contents for the clients of some sets. */
export const SEED = ['--seed-file', here('seed.yaml')]

/**
 * The clients of a set, each with its command, the options that it needs, and its mistake; `none` if it is careful.
 * @param folder for files that are written or built
 */
export function clientsOf(set, wanted, folder) {
  const files = readdirSync(here(set))
    .filter((file) => /(?<!^(?:kit|lib))\.(mjs|py|sh|go)$/.test(file))
    .filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)))
  if (set === 'corpus') return pairsOf(files, folder)
  return files.map((file) => {
    const path = here(`${set}/${file}`)
    return { file, mistake: tagOf('Mistake', readFileSync(path, 'utf8')), options: [], command: commandFor(path) }
  })
}

/** The value of a tag in the comments of a client. */
const tagOf = (name, text) => new RegExp(`^(?://|#)? *${name}: (.*)`, 'm').exec(text)?.[1]

const commandFor = (path) => [PROGRAMS[path.split('.').at(-1)], path]

/** The marks of lines that only one of the two clients in a file has. */
const MARKED = { mistake: '-', mended: '+' }

/** Files that the clients of the corpus import. */
const KITS = ['clients/kit.mjs', 'clients/kit.py', 'corpus/kit.go', 'corpus/lib.sh']

/** The two clients in each file of the corpus: with the mistake, and without it. */
function pairsOf(files, folder) {
  for (const name of Object.keys(MARKED)) {
    mkdirSync(join(folder, name), { recursive: true })
    for (const kit of KITS) copyFileSync(here(kit), join(folder, name, basename(kit)))
  }
  return files.flatMap((file) => pairOf(file, folder))
}

function pairOf(file, folder) {
  const text = readFileSync(here(`corpus/${file}`), 'utf8')
  return Object.entries(MARKED).map(([name, mark]) => {
    const dir = join(folder, name)
    const path = join(dir, file)
    writeFileSync(path, variantOf(text, mark))
    return {
      file: `${file} ${name}`,
      mistake: name === 'mended' ? 'none' : tagOf('Mistake', text),
      options: SEED,
      command: file.endsWith('.go') ? [built([join(dir, 'kit.go'), path])] : commandFor(path)
    }
  })
}

function variantOf(text, mark) {
  const lines = text.split('\n').flatMap((line) => {
    const [, indent, theirs, rest] = /^(\s*)(?:\/\/|#)([-+]) ?(.*)$/.exec(line) ?? []
    if (theirs === undefined) return [line]
    return theirs === mark ? [indent + rest] : []
  })
  return lines.join('\n')
}

/** Builds the program of a folder in Go. @returns its path */
export function built(files, env = {}) {
  const program = files.at(-1).replace(/\.go$/, '')
  execFileSync('go', ['build', '-o', program, ...files], { env: { ...process.env, GO111MODULE: 'off', ...env } })
  return program
}

/** Explores a command. @returns the exit code, and the standard error */
export function explore(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, 'explore', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    let err = ''
    child.stderr.on('data', (text) => (err += text))
    child.on('close', (code) => resolve({ code, err }))
  })
}

/** Findings as `kind operation`, at each call that shows them. */
export const namesOf = (findings) =>
  findings.flatMap(({ kind, operation, elsewhere }) =>
    [operation, ...elsewhere.map((other) => other.operation)].map((call) => `${kind} ${call}`)
  )

/** Whether findings show a mistake. */
export const isFound = (mistake, findings) =>
  mistake.split(' or ').some((kind) => findings.some((name) => name === kind || name.startsWith(`${kind} `)))
