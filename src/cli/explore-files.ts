import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appliesTo, type Certificate, certificateAsHtml, type Contract, ContractSchema } from '../explore/contract.js'
import type { Exploration } from '../explore/explore.js'
import { isReport, recordingsOf } from '../explore/findings.js'
import { type ExploreFault, PLAN_NAMES, type PlanName } from '../explore/plans.js'
import { reportAsHtml, reportAsJUnit } from '../explore/reports.js'
import type { ExploreFinding, ExploreReport } from '../explore/result.js'
import { schemaErrors } from '../interface/check.js'
import { listErrors } from '../interface/describe-errors.js'
import { DocumentError, type DocumentFile, MOST_BY_HAND, readDocumentFile } from '../interface/document-file.js'
import { invalidBody } from '../interface/errors.js'
import { OPERATION_IDS, operationProblem } from '../interface/operation-ids.js'
import { isObject } from '../lib/json.js'
import { makeFolder } from '../lib/make-folder.js'
import { parsed } from '../lib/parsed.js'
import { writePrivate } from '../lib/private-file.js'
import { VERSION } from '../lib/version.js'
import type { ExploreRequest } from './explore-arguments.js'
import { toShown, writePage } from './show.js'
import { isSameFile, UsageError } from './usage.js'

/** The format of plan files and of reports. */
const FORMAT = 1

/** A plan file, for `--replay`. */
export interface ExplorePlanFile {
  readonly format: 1
  /** Version of svc-mock that wrote it. */
  readonly svc_mock: string
  readonly number: number
  readonly faults: readonly ExploreFault[]
  readonly finding: Pick<ExploreFinding, 'id' | 'kind' | 'summary'>
  /** The command of the exploration. */
  readonly command: readonly string[]
}

/** Reads a plan. @throws {UsageError} if it is not valid */
export async function readPlanFile(file: string): Promise<ExplorePlanFile> {
  const plan = (await documentOf(file, 'plan')) as Partial<ExplorePlanFile>
  const { number, faults, finding, command } = plan
  const isWhole =
    Number.isInteger(number) &&
    Array.isArray(faults) &&
    faults.length > 0 &&
    (faults as Partial<ExploreFault>[]).every(
      ({ kind = '', point }) => PLAN_NAMES.includes(kind as PlanName) && typeof point?.operation === 'string'
    ) &&
    typeof finding?.kind === 'string' &&
    Array.isArray(command) &&
    command.every((word) => typeof word === 'string') &&
    command.length > 0
  if (!isWhole) throw notOurs(file, 'plan')
  return plan as ExplorePlanFile
}

/** Reads a report. @throws {UsageError} if it is not valid */
export async function readReportFile(file: string): Promise<Pick<ExploreReport, 'findings' | 'endings'>> {
  const report = await documentOf(file, 'report')
  if (!isReport(report)) throw notOurs(file, 'report')
  return report
}

/** Reads a contract in JSON or YAML. @throws {UsageError} listing all its errors */
export async function readContract(path: string): Promise<Contract> {
  const file = await fileOf(path, 'contract', MOST_BY_HAND)
  const { document } = file
  const malformed = schemaErrors(ContractSchema, document)
  const errors = malformed.length > 0 ? malformed : unknownIn(document as Contract)
  if (errors.length === 0) return document as Contract
  const problems = listErrors(file, invalidBody(errors).details, { name: 'a contract', schema: ContractSchema })
  throw new UsageError(`the contract ${path} is not valid: ${problems.join('; ')}`)
}

type Errors = ReturnType<typeof schemaErrors>

/** Operations that do not exist. */
function unknownIn({ rules }: Contract): Errors {
  return rules.flatMap(({ operations = [] }, rule) =>
    operations.flatMap((name, index) =>
      OPERATION_IDS.some((id) => appliesTo({ operations: [name] }, id))
        ? []
        : [{ field: `rules.${rule}.operations.${index}`, reason: operationProblem(name.replace(/\*$/, ''))! }]
    )
  )
}

/** Reads one of the files that an exploration wrote. */
async function documentOf(path: string, what: string): Promise<object> {
  const { document } = await fileOf(path, what)
  if (!isObject(document)) throw notOurs(path, what)
  const { format } = document
  if (format === FORMAT) return document
  if (typeof format !== 'number') throw notOurs(path, what)
  throw new UsageError(`${path} is a ${what} of format ${format}, and svc-mock ${VERSION} reads format ${FORMAT}`)
}

function fileOf(path: string, what: string, most?: number): Promise<DocumentFile> {
  return readDocumentFile(path, { most }).catch((error: unknown) => {
    throw error instanceof DocumentError ? new UsageError(`the ${what} ${path} ${error.message}`) : error
  })
}

const notOurs = (file: string, what: string) => new UsageError(`${file} is not a ${what} of svc-mock explore`)

/** Replaced by each exploration. */
const OWN_FILES =
  /^(?:plan-\d+(?:\.json|(?:-recovery)?\.(?:svcmock|html))|(?:report|contract)\.(?:json|html)|junit\.xml)$/

function hasReport(folder: string): boolean {
  const report = parsed(readFileSync(join(folder, 'report.json'), 'utf8'))
  return isObject(report) && isReport(report)
}

/** The folder for results. */
export class ResultFolder {
  readonly #folder: string

  /** @throws {UsageError} if it cannot be written, or has other files, such as the contract */
  constructor(folder: string, contract = '') {
    this.#folder = folder
    try {
      makeFolder(folder)
    } catch (error) {
      throw new UsageError(`--report ${folder} cannot be written (${(error as NodeJS.ErrnoException).code})`)
    }
    const files = readdirSync(folder)
    // Other programs use the same names.
    const isOurs = files.includes('report.json') && hasReport(folder)
    const foreign = files.find((file) => !isOurs || !OWN_FILES.test(file) || isSameFile(join(folder, file), contract))
    if (foreign !== undefined)
      throw new UsageError(
        `--report ${folder} has a file that no exploration wrote: ${foreign}; choose an empty folder`
      )
  }

  /** Replaces earlier results with those of an exploration. Keeps known findings that are in this folder. */
  async write(exploration: Exploration, { command, options, baseline }: ExploreRequest): Promise<void> {
    const { report, trials, findings } = exploration
    const isOwn = baseline !== undefined && isSameFile(baseline, join(this.#folder, 'report.json'))
    const kept = isOwn ? (await readReportFile(baseline)).findings : []
    this.#write('report.json', JSON.stringify({ ...report, findings: [...report.findings, ...kept] }, null, 2))
    const needed = ['report.json', ...kept.flatMap((found) => [found, ...found.elsewhere]).map(({ plan }) => plan)]
    for (const file of readdirSync(this.#folder))
      if (OWN_FILES.test(file) && !needed.includes(file.replace(/(?:-recovery)?\.(?:svcmock|html)$/, '.json')))
        rmSync(join(this.#folder, file))
    for (const seen of findings.flatMap((found) => [found, ...found.elsewhere])) {
      const { plan, faults, id, kind, summary, detail } = seen
      for (const [index, name] of recordingsOf(seen).entries()) {
        const file = join(this.#folder, name)
        writePrivate(`${file}.svcmock`, detail.recordings[index]!)
        await writePage(await toShown(`${file}.svcmock`, options.profile), `${file}.html`)
      }
      const document: ExplorePlanFile = {
        format: FORMAT,
        svc_mock: VERSION,
        number: Number(/\d+/.exec(plan)![0]),
        faults,
        finding: { id, kind, summary },
        command
      }
      this.#write(plan, JSON.stringify(document, null, 2))
    }
    this.#write('junit.xml', reportAsJUnit(findings, trials))
    this.#write('report.html', reportAsHtml(report, findings, trials))
  }

  writeCertificate(certificate: Certificate): void {
    this.#write('contract.json', JSON.stringify(certificate, null, 2))
    this.#write('contract.html', certificateAsHtml(certificate))
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.#folder, name), `${text.trimEnd()}\n`)
  }
}
