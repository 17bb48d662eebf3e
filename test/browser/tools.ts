import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { type Mock, type Options, startMock } from '../../src/node/index.js'
import type { Body } from '../helper.js'
import { findProgram, lackingPrograms } from '../programs.js'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Where the pictures go that the tests make. */
export const SCREENSHOTS = join(ROOT, 'test/browser/screenshots')

const { CHROMIUM, CI } = process.env
const find = () =>
  CHROMIUM ?? ['chromium', 'chromium-browser', 'google-chrome'].map(findProgram).find((path) => path !== undefined)

/** Why there can be no test in a browser; false: there can. */
export const skip = find() === undefined ? lackingPrograms({ chromium: 'chromium' }) : false
const executablePath = find()
if (skip !== false) {
  const reason = `There are no tests in a browser: this machine ${skip}. CHROMIUM can name another browser.`
  // Nobody reads there what was skipped.
  if (CI !== undefined && CI !== '') throw new Error(reason)
  console.error(reason)
}

/** Without these, a browser that runs as root does not start, and asks the network for things that no test wants. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync'
]

let browser: Promise<Browser> | undefined

/** Ends the browser of this file. Call it in a teardown. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
}

/** What a page may not do: each is a line here. */
export interface Findings {
  readonly lines: string[]
}

/** Opens a page that is watched: its errors, what its policy refuses, and requests to anybody but the server. */
export async function openPage(
  t: Test,
  url: string,
  options: BrowserContextOptions = {}
): Promise<{ page: Page; findings: Findings }> {
  browser ??= chromium.launch({ executablePath: executablePath!, args: ARGS })
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, ...options })
  t.teardown(() => context.close())
  const lines: string[] = []
  const page = await context.newPage()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      lines.push(`${message.type()}: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => {
    lines.push(`page error: ${error.message}`)
  })
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url))
      lines.push(`foreign request: ${request.url()}`)
  })
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => { console.error(`policy: " +
      '${event.violatedDirective} ${event.blockedURI}`) })'
  )
  // Only to end a test that waits for something that never comes: nothing may depend on speed.
  page.setDefaultTimeout(120_000)
  return { page, findings: { lines } }
}

/** Starts a server with the demo seed, at a frozen time, and opens the console for a key. */
export async function openConsole(
  t: Test,
  {
    key = 'demo',
    options = {},
    context = {},
    path = '',
    ownTime = false
  }: {
    key?: string
    options?: Partial<Options>
    context?: BrowserContextOptions
    path?: string
    /** Whether the test moves the time of the page, by `page.clock`. */
    ownTime?: boolean
  } = {}
) {
  const mock = await startMock({ seedFile: join(ROOT, 'examples/seed.yaml'), ...options })
  t.teardown(() => mock.close())
  const { page, findings } = await openPage(t, mock.url, context)
  if (ownTime) await page.clock.install()
  await page.goto(`${mock.url}/_mock/${path}`)
  await page.getByLabel('API key of the sandbox').fill(key)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('live', { exact: true }).waitFor()
  await page.locator('main.view > :not(.empty)').first().waitFor()
  return { mock, box: mock.sandbox(key), page, findings, call: caller(mock, key) }
}

/** Goes to a section by the rail, and to one of its views. */
export async function goTo(page: Page, section: string, view?: string): Promise<void> {
  const link = (inside: string, name: string) =>
    page.getByRole('navigation', { name: inside }).getByRole('link', { name, exact: true })
  await link('Sections', section).click()
  if (view !== undefined) await link(section, view).click()
}

/** Goes to a place in the console, and waits until its view is there. */
export async function openView(page: Page, place: string): Promise<void> {
  await page.goto(`${page.url().split('#')[0]!}#/${place}`)
  await page
    .locator(`main.view-${/^\w+/.exec(place)![0]} > :not(.empty)`)
    .first()
    .waitFor()
}

/** Waits until a condition is met that no locator can wait for. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Calls the server as a client of the interface, with a key. @returns status and body */
export function caller(mock: Mock, key: string) {
  return async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> => {
    const reply = await fetch(mock.url + path, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: reply.status, body: await reply.json() }
  }
}

export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds wrong with a page, a line each. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate<Body>(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })"
  )
  return (violations as Body[]).flatMap(({ id, help, nodes }) =>
    (nodes as Body[]).map(({ html, any }) => `${id}: ${help}: ${html} ${any[0]?.message ?? ''}`)
  )
}
