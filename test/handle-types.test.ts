import { existsSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { read } from './doc-parts.js'
import { handleRoutes, handleTypes } from './handle-types.js'
import { publishedSource } from './published.js'
import { pythonClient } from './python-client.js'

const isUpdate = process.env['UPDATE_DOCS'] === '1'

for (const [file, generate] of [
  ['src/interface/operation-routes.ts', handleRoutes],
  ['src/resources/published.ts', publishedSource],
  ['generated/test-control/handle/types.d.ts', handleTypes],
  ['clients/python/svc_mock.py', pythonClient]
] as const) {
  void t.test(`${file} is what it is made from`, async (t) => {
    const url = new URL(`../${file}`, import.meta.url)
    const text = await generate()
    if (isUpdate && (!existsSync(url) || read(file) !== text)) {
      writeFileSync(url, text)
      t.comment(`wrote ${file}`)
    }
    t.equal(read(file), text, `${file} is stale: update it by 'npm run docs'`)
  })
}
