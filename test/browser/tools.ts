import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { type Mock, type Options, startMock } from '../../src/node/index.js'
import { type Body, sendJson } from '../helper.js'
import { findProgram, lackingPrograms } from '../programs.js'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export const WORKGROUPS = '/controller/v4/v2/workgroups'
export const PRODUCTION = `${WORKGROUPS}/production/workspaces`

export const SCREENSHOTS = join(ROOT, 'test/browser/screenshots')

const { CHROMIUM, CI } = process.env
const findBrowser = () =>
  CHROMIUM ?? ['chromium', 'chromium-browser', 'google-chrome'].map(findProgram).find((path) => path !== undefined)
/** Why no browser test can run, or false. */
const skip = findBrowser() === undefined ? lackingPrograms({ chromium: 'chromium' }) : false
// It may have just been installed.
const executablePath = findBrowser()
if (skip !== false) {
  const reason = `There are no tests in a browser: this machine ${skip}. CHROMIUM can name another browser.`
  // In CI, nobody notices a skipped test.
  if (CI !== undefined && CI !== '') throw new Error(reason)
  console.error(reason)
}

let browser: Promise<Browser> | undefined

t.teardown(async () => (await browser)?.close())

/** Errors, policy violations and foreign requests of the pages of a test. */
let findings: string[] = []
let allowed: RegExp | undefined

/** A test in a browser, if there is one. It fails if a page has errors, violates its policy, or calls other servers. */
export function inBrowser(name: string, test: (t: Test) => Promise<void>): void {
  void t.test(name, { skip }, async (t) => {
    findings = []
    allowed = undefined
    await test(t)
    const unexpected = findings.filter((line) => allowed?.test(line) !== true)
    t.strictSame(unexpected, [])
  })
}

export const allow = (errors: RegExp): void => {
  allowed = errors
}

/** Errors that the browser reports if a server is away, or refuses. */
export const AWAY = /net::ERR_/
export const REFUSED = /responded with a status of [45]/

interface PageOptions extends BrowserContextOptions {
  /** Whether the test moves the time of the page, by `page.clock`. */
  readonly ownTime?: boolean
}

/** Opens a page, and watches it for {@link findings}. */
export async function openPage(
  t: Test,
  address: string,
  { ownTime = false, ...options }: PageOptions = {}
): Promise<Page> {
  const own = address.startsWith('file:') ? address.split('#')[0]! : new URL(address).origin
  browser ??= chromium.launch({ executablePath: executablePath!, args: ['--disable-gpu'] })
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, ...options })
  t.teardown(() => context.close())
  const page = await context.newPage()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      findings.push(`${message.type()}: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => {
    findings.push(`page error: ${error.message}`)
  })
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(own))
      findings.push(`foreign request: ${request.url()}`)
  })
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => { console.error(`policy: " +
      '${event.violatedDirective} ${event.blockedURI}`) })'
  )
  // Only ends a test that waits in vain: nothing may depend on speed.
  page.setDefaultTimeout(120_000)
  if (ownTime) await page.clock.install()
  await page.goto(address)
  return page
}

/** Starts a server with the example seed, and opens the console for a key. */
export async function openConsole(
  t: Test,
  {
    key = 'demo',
    options = {},
    context = {},
    path = ''
  }: { key?: string; options?: Partial<Options>; context?: PageOptions; path?: string } = {}
) {
  const mock = await startMock({ seedFile: join(ROOT, 'examples/seed.yaml'), ...options })
  t.teardown(() => mock.close())
  const page = await openPage(t, `${mock.url}/_mock/${path}`, context)
  await page.getByLabel('API key of the sandbox').fill(key)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('live', { exact: true }).waitFor()
  await page.locator('main.view > :not(.empty)').first().waitFor()
  return {
    mock,
    box: mock.sandbox(key),
    page,
    call: caller(mock, key),
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    row: (workspace: string) => page.locator(`[data-workspace="${workspace}"]`),
    dialog: page.getByRole('dialog'),
    record: page.getByRole('complementary', { name: 'Causal record' })
  }
}

/** Goes to a section of the rail, and to one of its views. */
export async function goTo(page: Page, section: string, view?: string): Promise<void> {
  const link = (inside: string, name: string) =>
    page.getByRole('navigation', { name: inside }).getByRole('link', { name, exact: true })
  await link('Sections', section).click()
  if (view !== undefined) await link(section, view).click()
}

/** Goes to a place in the console, and waits for its view. */
export async function openView(page: Page, place: string): Promise<void> {
  await page.goto(`${page.url().split('#')[0]!}#/${place}`)
  await page
    .locator(`main.view-${/^\w+/.exec(place)![0]} > :not(.empty)`)
    .first()
    .waitFor()
}

/** Calls the server as a client of the interface, with a key. @returns status, body and RequestID */
function caller(mock: Mock, key: string) {
  return async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Body; id: string }> => {
    const reply = await sendJson(method, mock.url + path, { 'x-api-key': key }, body)
    const answer: Body = await reply.json()
    return { status: reply.status, body: answer, id: answer.RequestID }
  }
}

export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
}

/** The parts of a page that scroll sideways. */
const SIDEWAYS = `[document.scrollingElement, ...document.querySelectorAll('.view, .view *')]
  .filter((part) => part.scrollWidth > part.clientWidth + 1)
  .filter((part) => part === document.scrollingElement || getComputedStyle(part).overflowX === 'auto')
  .map(({ tagName, className }) => tagName + ' ' + className)`

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Checks that a page is accessible and does not scroll sideways. @param name of its picture */
export async function checkPage(t: Test, page: Page, name?: string): Promise<void> {
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate<Body>(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })"
  )
  const problems = (violations as Body[]).flatMap(({ id, help, nodes }) =>
    (nodes as Body[]).map(({ html, any }) => `${id}: ${help}: ${html} ${any[0]?.message ?? ''}`)
  )
  t.strictSame(problems, [], name ?? 'it is accessible')
  t.strictSame(await page.evaluate(SIDEWAYS), [], 'nothing scrolls sideways')
  if (name !== undefined) await picture(page, name)
}
