import t from 'tap'
import { Bindings } from '../../src/fidelity/bindings.js'

void t.test('ids that begin alike are told apart by what the service says', (t) => {
  const bindings = new Bindings()
  const id = (beginning: string, end: string) => `${beginning}-0000-4000-8000-${end.padStart(12, '0')}`
  bindings.bind(id('3004aaaa', '1'), id('11111111', '1'))
  const goBack = bindings.remember()
  bindings.bind(id('3004aaaa', '2'), id('22222222', '2'))
  t.equal(bindings.toTheirs('database-3004aaaa', 'database-11111111'), 'database-11111111')
  t.equal(bindings.toTheirs('database-3004aaaa', 'database-22222222'), 'database-22222222')
  t.equal(bindings.toTheirs('database-3004aaaa', 'another'), 'database-22222222')
  goBack()
  t.equal(bindings.toTheirs('database-3004aaaa', 'database-22222222'), 'database-11111111')
  t.equal(bindings.toTheirs('database-3004bbbb'), 'database-3004bbbb')
  t.end()
})
