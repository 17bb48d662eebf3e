import { until } from '../helper.js'
import { checkPage, inBrowser, openConsole, WORKGROUPS } from './tools.js'

const WORKSPACE = `${WORKGROUPS}/main/workspaces/writer`
const SEED = {
  clock: { mode: 'frozen' as const, now: '2027-01-01T00:00:00Z' },
  workgroups: [{ id: 'main', workspaces: [{ id: 'writer' }, { id: 'other' }] }]
}

/** Opens the timeline of a sandbox with two workspaces and a frozen clock. */
async function openTimeline(t: Parameters<typeof openConsole>[0]) {
  const opened = await openConsole(t, { path: '#/timeline' })
  const { box, page } = opened
  await box.seed(SEED)
  await page.getByRole('link', { name: 'other' }).waitFor()
  const inSight = async () => {
    const text = await page.locator('.bar .numbers').textContent()
    const [begin, end] = /(.+) to (.+) UTC/
      .exec(text!)!
      .slice(1)
      .map((time) => Date.parse(`${time.replace(' ', 'T')}Z`))
    return { begin: begin!, end: end!, seconds: (end! - begin!) / 1000 }
  }
  const untilSight = (isRight: (view: Awaited<ReturnType<typeof inSight>>) => boolean) =>
    until(async () => isRight(await inSight()))
  const lane = (name: string) => page.locator('.lane', { has: page.locator('.lane-name', { hasText: name }) })
  return { ...opened, inSight, untilSight, lane }
}

inBrowser('the timeline fits the past, not the future, and an item opens its record', async (t) => {
  const { box, page, call, lane, record } = await openTimeline(t)
  await call('POST', `${WORKSPACE}/pause`)
  await box.clock.advance({ by: 'PT1H' })
  // An hour, and 3 % of it at both ends.
  const fitted = page.getByText('2026-12-31 23:58:12 to 2027-01-01 01:01:48 UTC')
  await fitted.waitFor()
  await box.transitions.replace([{ transition: 'workspace.resume', after: 'P30D' }])
  const { id } = await call('POST', `${WORKSPACE}/resume`)
  await lane('writer').locator('.state-Resuming').first().waitFor()
  await fitted.waitFor()
  await lane('Requests').locator('.item').nth(1).waitFor()
  t.equal(await lane('Requests').locator('.item').count(), 2)

  await lane('writer').locator('.state-Stopped').click()
  await record.getByRole('heading', { name: 'pauseWorkspace' }).waitFor()
  t.equal(await page.locator('.item.chosen').count(), 3, 'the request and the states that it caused')
  await checkPage(t, page, 'timeline-record')
  await lane('Requests').locator('.item').last().click()
  await record.getByText(id).first().waitFor()
  await page.keyboard.press('Escape')
  await record.waitFor({ state: 'detached' })
  t.match(page.url(), /#\/timeline$/, 'closing it leads back to the timeline')
})

inBrowser('requests have a lane, with failures on top', async (t) => {
  const { call, lane, page, record } = await openTimeline(t)
  await call('GET', `${WORKGROUPS}/nothing`)
  await call('GET', WORKGROUPS)
  const requests = lane('Requests').locator('.item')
  await requests.nth(1).waitFor()
  await requests.last().click()
  await record.getByText('There is no workgroup nothing.').first().waitFor()
  await checkPage(t, page)
})

inBrowser('the window can be moved and zoomed, and follows the clock', async (t) => {
  const { box, page, call, button, lane, inSight, untilSight } = await openTimeline(t)
  await call('POST', `${WORKSPACE}/pause`)
  await box.clock.advance({ by: 'PT1H' })
  await untilSight(({ seconds }) => seconds === 3816)
  await button('Zoom in').click()
  await untilSight(({ seconds }) => seconds === 1908)
  const { begin } = await inSight()
  await button('Later').click()
  await untilSight((view) => view.begin === begin + 477_000 && view.seconds === 1908)
  await button('Earlier').click()
  await untilSight((view) => view.begin === begin)
  await button('Zoom out').click()
  await untilSight(({ seconds }) => seconds === 3816)

  const plot = (await lane('writer').locator('svg').boundingBox())!
  const fitted = await inSight()
  await page.mouse.move(plot.x, plot.y + plot.height / 2)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -200)
  await page.keyboard.up('Control')
  // The time under the pointer stays there.
  await untilSight((view) => view.seconds < 3000 && Math.abs(view.begin - fitted.begin) < 5000)
  await page.mouse.wheel(200, 0)
  await untilSight((view) => view.begin > fitted.begin + 100_000)

  await box.clock.advance({ by: 'P1D' })
  const { seconds } = await inSight()
  await button('Now').click()
  const now = Date.parse((await box.clock.read()).now)
  await untilSight((view) => view.begin < now && view.end > now && Math.abs(view.seconds - seconds) <= 1)
})
