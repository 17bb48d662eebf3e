import { readFileSync } from 'node:fs'
import t from 'tap'
import { reportPage } from '../../src/lib/report-page.js'

const coloursIn = (css: string) =>
  Object.fromEntries([...css.matchAll(/(--[\w-]+): (light-dark\(.+?\))/g)].map(([, name, value]) => [name!, value!]))

void t.test('a report has the colours of the console, and two of its own', (t) => {
  const console_ = coloursIn(readFileSync(new URL('../../src/console/styles/base.css', import.meta.url), 'utf8'))
  const { '--fault': fault, '--new': added, ...shared } = coloursIn(reportPage('', '', []))
  t.ok(fault && added && Object.keys(shared).length >= 8)
  t.match(console_, shared)
  t.end()
})
