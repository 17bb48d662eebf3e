import t from 'tap'
import { canonicalAddress, canonicalBlock, contains, isLoopback } from '../../src/lib/ip.js'

void t.test('an address or block has one canonical form, and other texts have none', (t) => {
  for (const [text, block] of [
    ['1.2.3.4', '1.2.3.4/32'],
    ['1.2.3.4/0', '0.0.0.0/0'],
    ['255.255.255.255/1', '128.0.0.0/1'],
    ['2001:DB8:0:0::1', '2001:db8::1/128'],
    ['2001:db8::ffff/127', '2001:db8::fffe/127'],
    ['::/0', '::/0'],
    ['::ffff:1.2.3.4', '1.2.3.4/32'],
    ['::ffff:1.2.3.4/104', '1.0.0.0/8'],
    ['::ffff:1.2.3.4/96', '0.0.0.0/0'],
    ['::ffff:1.2.3.4/95', '::fffe:0:0/95'],
    ['::10.20.30.40', '::a14:1e28/128']
  ] as const)
    t.equal(canonicalBlock(text), block, text)
  for (const text of [
    '',
    '/8',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    '1.2.3.4/33',
    '1.2.3.4/08',
    '1.2.3.4/8 ',
    '::/129',
    'fe80::1%eth0',
    '127.1',
    '0x7f.1',
    'localhost'
  ])
    t.equal(canonicalBlock(text), undefined, text)
  t.end()
})

void t.test('a block contains only addresses of its own family', (t) => {
  for (const [block, inside, outside] of [
    ['10.0.0.0/8', '10.255.0.1', '11.0.0.0'],
    ['0.0.0.0/0', '1.2.3.4', '::1'],
    ['::/0', '::1', '1.2.3.4'],
    ['2001:db8::/32', '2001:db8:ffff::', '2001:db9::']
  ] as const) {
    t.equal(contains(block, inside), true, `${block} ${inside}`)
    t.equal(contains(block, outside), false, `${block} ${outside}`)
  }
  t.end()
})

void t.test('an address is written in its shortest form, without a zone', (t) => {
  for (const [text, address] of [
    ['1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::1.2.3.4', '::102:304'],
    ['FE80:0::1%eth0', 'fe80::1'],
    ['1.2.3', undefined],
    ['%eth0', undefined],
    ['', undefined]
  ] as const)
    t.equal(canonicalAddress(text), address, text)
  t.end()
})

void t.test('only the loopback addresses are those of this machine', (t) => {
  for (const text of ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1']) t.equal(isLoopback(text), true, text)
  for (const text of ['128.0.0.1', '126.0.0.1', '0.0.0.0', '::', '::2', '::127.0.0.1', 'localhost', '127.1', ''])
    t.equal(isLoopback(text), false, text)
  t.end()
})
