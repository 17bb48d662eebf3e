import t from 'tap'
import { clustersOf } from '../../src/console/model/clusters.js'

const item = (from: number, to: number | undefined, outcome = '2xx') => ({
  from,
  to,
  name: `${from}`,
  outcome,
  note: null,
  request: undefined
})
const VIEW = { begin: 0, end: 100 }
const namesOf = (clusters: ReturnType<typeof clustersOf>) =>
  clusters.map(({ items }) => items.map(({ name }) => name).join(' '))

void t.test('points within the gap are one, whichever comes first, and those out of sight are left out', async (t) => {
  const points = [-5, 30, 10, 12, 14, 15, 101].map((time) => item(time, time))
  t.strictSame(namesOf(clustersOf(points, VIEW, 50, 5, false)), ['10 12 14', '15', '30'])
  t.match(clustersOf(points, VIEW, 50, 5, false)[0], { from: 10, to: 14 })
})

void t.test('what lasts longer than the gap keeps a bar of its own, if the items follow each other', async (t) => {
  const states = [item(-Infinity, 10), item(10, 11), item(11, 12), item(12, undefined)]
  t.strictSame(namesOf(clustersOf(states, VIEW, 50, 5, true)), ['-Infinity', '10 11', '12'])
  t.strictSame(namesOf(clustersOf([item(10, 40), item(10, 50)], VIEW, 60, 5, false)), ['10 10'], 'but not otherwise')
})

void t.test('the worst item, and of these the last, stands for all', async (t) => {
  const shown = (...outcomes: string[]) =>
    clustersOf(
      outcomes.map((outcome, index) => ({ ...item(1, 1, outcome), name: `${index}` })),
      VIEW,
      50,
      5,
      false
    )[0]!.shown.name
  t.equal(shown('2xx', '2xx'), '1')
  t.equal(shown('2xx', '5xx', '4xx', '2xx'), '1')
  t.equal(shown('lost', '5xx'), '0')
  t.equal(shown('Failed', 'Succeeded'), '0')
})
