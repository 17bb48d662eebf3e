import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { runCommand, until } from '../helper.js'
import { PLANTED, recordPlanted } from '../recording/planted.js'
import { allow, checkPage, goTo, inBrowser, openConsole, openPage, openView, PRODUCTION, REFUSED } from './tools.js'

const slider = (page: Page) => page.getByRole('slider', { name: 'Step' })
const what = (page: Page) => page.locator('.what')
const row = (page: Page, name: string) => page.locator('[data-workspace]', { hasText: name })
const position = async (page: Page) => Number(await page.locator('.position b').innerText())
const stepIs = (step: number) => new RegExp(`[?&]step=${step}$`)

/** Serves recordings. @returns their addresses */
async function show(t: Test, ...files: readonly string[]): Promise<string[]> {
  const { output, seen } = runCommand(t, ['show', ...files])
  await seen(new RegExp(`/${files.length}/ .*\n`))
  return output()
    .trim()
    .split('\n')
    .map((line) => line.split(' ', 1)[0]!)
}

/** Presses a key that leads to another step. */
async function move(page: Page, key: string): Promise<void> {
  const before = await position(page)
  await page.keyboard.press(key)
  await until(async () => (await position(page)) !== before)
}

/** Presses a key until the step that is shown has a text. */
async function pressUntil(page: Page, key: string, text: string, most = 50): Promise<void> {
  for (let presses = 0; !(await what(page).innerText()).includes(text); presses++) {
    if (presses === most) throw new Error(`${most} times ${key}, but no ${text}`)
    await move(page, key)
  }
}

/** Finds the planted mistake without knowing what it is. @returns its step */
async function findMistake(t: Test, page: Page): Promise<number> {
  await slider(page).waitFor()
  t.equal(await page.getByRole('button', { name: /new|pause|resume|delete|clear|reset|import|advance/i }).count(), 0)
  const mark = (await page.locator('.marks rect').boundingBox())!
  const track = (await slider(page).boundingBox())!
  await slider(page).click({ position: { x: mark.x - track.x - 4, y: track.height / 2 } })
  await page.locator('main').click({ position: { x: 2, y: 2 } })
  await pressUntil(page, 'ArrowRight', PLANTED)
  const step = await position(page)
  await row(page, 'worker-2').locator('.state-Stopped').waitFor()
  t.equal(await page.locator('.row.touched').count(), 1, 'the changed workspace is marked')
  await page.keyboard.press('ArrowLeft')
  await row(page, 'worker-2').locator('.state-Resuming').waitFor()
  await page.keyboard.press('ArrowRight')
  await row(page, 'worker-2').locator('.state-Stopped').waitFor()
  await page.waitForURL(stepIs(step))

  await goTo(page, 'State', 'Differences')
  const differences = page.getByRole('list', { name: 'Differences' })
  t.match(await differences.innerText(), /workspaces\[.*\]\.status\s+Resuming\s+Stopped/)
  await goTo(page, 'State', 'What led here')
  const causes = page.getByRole('list', { name: /What led here/ }).locator(':scope > li')
  t.match(await causes.first().innerText(), PLANTED)
  t.match(await causes.first().innerText(), /scheduled by\s+Step \d+\s+POST .*\/resume/)
  t.match(await causes.last().innerText(), /POST \/workgroups\/.*\/workspaces/, 'back to its creation')
  await page.waitForURL(stepIs(step))
  await causes.first().locator('.because').getByRole('link').first().click()
  await what(page).getByText('/resume').waitFor()
  t.ok((await position(page)) < step)
  await page.goBack()
  await what(page).getByText(PLANTED).waitFor()
  return step
}

inBrowser('a mistake in a run of 200 requests can be found step by step, from a server and from disk', async (t) => {
  const { path } = await recordPlanted(t, 10)
  const [url] = await show(t, path)
  const page = await openPage(t, url!)
  const step = await findMistake(t, page)

  await t.test('a link names the step', async (t) => {
    const page = await openPage(t, `${url!}#/requests?step=${step}`)
    await what(page).getByText(PLANTED).waitFor()
    t.equal(await position(page), step)
    const count = await page.locator('.bar [role=status]').innerText()
    await slider(page).press('End')
    await page.getByText('206 of 206').waitFor()
    t.ok(Number.parseInt(count, 10) < 206, 'later requests are not there yet')
    await page.locator('[data-request]').first().getByRole('link').click()
    const record = page.getByRole('complementary', { name: 'Causal record' })
    await record.getByRole('link', { name: /^Step \d+$/ }).waitFor()
    t.equal(await record.getByRole('button', { name: 'Send again' }).count(), 0)
  })

  await t.test('keys move by steps and by requests', async (t) => {
    const page = await openPage(t, `${url!}#/overview?step=${step}`)
    await what(page).getByText(PLANTED).waitFor()
    await page.keyboard.press('Shift+ArrowRight')
    await what(page).getByText('POST').or(what(page).getByText('PUT')).or(what(page).getByText('GET')).waitFor()
    await slider(page).press('Home')
    await what(page).getByText('The beginning').waitFor()
    await page.getByText('The sandbox is empty at this moment.').waitFor()
    t.ok(await page.getByRole('button', { name: 'Previous step' }).isDisabled())
    await slider(page).press('End')
    await page.getByRole('button', { name: 'Next step', disabled: true }).waitFor()
    const last = await position(page)
    await move(page, 'ArrowLeft')
    await page.getByLabel('Filter the workspaces').fill('worker')
    await page.keyboard.press('ArrowLeft')
    await page.locator('main').click({ position: { x: 2, y: 2 } })
    await move(page, 'ArrowRight')
    t.equal(await position(page), last, 'a text field has its own keys')
  })

  await t.test('one page from disk shows the same', async (t) => {
    const file = join(dirname(path), 'run.html')
    const { exited } = runCommand(t, ['show', path, '--html', file])
    t.equal((await exited).code, 0)
    const address = pathToFileURL(file).href
    const page = await openPage(t, address)
    t.equal(await findMistake(t, page), step)
    await page.goto(`${address}#/timeline?step=${step}`)
    await page.reload()
    await what(page).getByText(PLANTED).waitFor()
  })

  await t.test('each view is accessible in both colour schemes, and fits 390 pixels', async (t) => {
    for (const [name, context] of [
      ['light', { colorScheme: 'light' }],
      ['dark', { colorScheme: 'dark' }],
      ['narrow', { viewport: { width: 390, height: 844 } }],
      ['narrow-dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }]
    ] as const) {
      const page = await openPage(t, url!, context)
      for (const view of ['overview', 'timeline', 'requests', 'state', 'differences', 'causes']) {
        await openView(page, `${view}?step=${step}`)
        await what(page).getByText(PLANTED).waitFor()
        await checkPage(t, page, `recording-${view}-${name}`)
      }
      await page.close()
    }
  })
})

inBrowser('several recordings can be shown, and a damaged one says so', async (t) => {
  allow(REFUSED)
  const { path } = await recordPlanted(t, 1)
  const other = join(dirname(path), 'damaged.svcmock')
  const data = readFileSync(path)
  writeFileSync(other, data)
  const copy = join(dirname(path), 'copy')
  mkdirSync(copy)
  copyFileSync(path, join(copy, basename(path)))
  const [alike] = await show(t, path, join(copy, basename(path)))
  const both = await openPage(t, alike!)
  await both
    .getByRole('navigation', { name: 'Recordings' })
    .getByText(join(copy, basename(path)))
    .waitFor()
  await checkPage(t, both, 'recordings-alike')
  await both.close()
  const [first, second] = await show(t, path, other)
  const page = await openPage(t, first!)
  await slider(page).waitFor()
  await page
    .getByRole('navigation', { name: 'Recordings' })
    .getByRole('link', { name: 'damaged.svcmock', exact: true })
    .click()
  await slider(page).waitFor()
  t.equal(page.url().split('#')[0], second)
  writeFileSync(other, 'nothing')
  await page.reload()
  await page
    .getByRole('alert')
    .getByText(/damaged\.svcmock /)
    .waitFor()
})

inBrowser('the live console shows the past, and forks a sandbox from there', async (t) => {
  const states = { workspace: { Pausing: 'GOING DOWN', Stopped: 'DOWN' } }
  const replies = { ids: { workspace_id: 'ws-{{hex}}' } }
  const { box, page, call } = await openConsole(t, { options: { profile: { profile: 1, states, replies } } })
  await box.clock.set({ mode: 'frozen' })
  const { body } = await call('POST', PRODUCTION, { name: 'made' })
  const host = row(page, 'made').locator('.host', { hasText: body.Result.workspace_id as string })
  await host.waitFor()
  const writer = `${PRODUCTION}/fraud-writer`
  await call('POST', `${writer}/pause`)
  await box.clock.advance({ until: 'idle' })
  await call('DELETE', writer)
  await box.clock.advance({ until: 'idle' })
  await row(page, 'fraud-writer').waitFor({ state: 'detached' })
  await goTo(page, 'Time')
  await page.getByRole('button', { name: 'Look back' }).click()
  await slider(page).waitFor()
  await page.getByText('This is the past').waitFor()
  await checkPage(t, page, 'look-back')
  await goTo(page, 'Overview')
  await host.waitFor()
  await page.locator('main').click({ position: { x: 2, y: 2 } })
  await pressUntil(page, 'ArrowLeft', '/pause')
  await row(page, 'fraud-writer').locator('.state-Pausing').waitFor()
  t.equal(await page.getByRole('button', { name: 'New workgroup' }).count(), 0)
  await page.getByRole('button', { name: 'Fork from here' }).click()
  await page.getByRole('button', { name: 'New workgroup' }).waitFor()
  await page.getByText('The document was imported.').waitFor()
  await row(page, 'fraud-writer').locator('.state-Pausing').waitFor()
  t.notMatch(page.url(), 'step=')
  await page.getByRole('button', { name: 'Until idle' }).click()
  await row(page, 'fraud-writer').locator('.state-Stopped').waitFor()
  t.equal((await box.state.read()).workgroups![0]!.workspaces!.length, 3, 'and the other sandbox is unchanged')

  await goTo(page, 'Time')
  await page.getByRole('button', { name: 'Look back' }).click()
  await slider(page).waitFor()
  await page.waitForURL(/step=/)
  await page.getByRole('button', { name: 'Back to now' }).click()
  await page.getByRole('button', { name: 'Look back' }).waitFor()
  t.notMatch(page.url(), 'step=', 'the URL names no step')
})
