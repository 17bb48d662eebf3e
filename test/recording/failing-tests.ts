const BOX = `
    const box = mock.sandbox()
    await box.record('on-failure', t)
    await box.call('createWorkgroup', { body: { name: 'a', cloud_provider_id: 'aws' } })`

/** Code with three tests: one passes; one fails after removing its sandbox, and one after stopping the server. */
export const failingTests = (imports: string, test: string, atEnd: string) => `
  ${imports}
  import { startMock } from 'svc-mock'
  const mock = await startMock()
  ${atEnd}(() => mock.close())
  ${test}('passes', async (t) => {
    ${BOX}
    await box.remove()
  })
  ${test}('fails / at a line', async (t) => {
    ${BOX}
    await box.remove()
    throw new Error('wrong')
  })
  ${test}('fails alone', async (t) => {
    const mock = await startMock()
    ${BOX}
    await mock.close()
    throw new Error('wrong')
  })`
