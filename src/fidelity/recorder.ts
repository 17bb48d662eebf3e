import type { AddressInfo } from 'node:net'
import { listenError } from '../lib/listen-error.js'
import type { Exchange } from './exchange.js'
import { createHar } from './har/file.js'
import type { MaskSettings } from './masking/masker.js'
import { Pseudonyms } from './masking/pseudonyms.js'
import { startMasking } from './masking/thread.js'
import { type ProxyOptions, ReverseProxy } from './proxy/reverse-proxy.js'

export interface RecorderOptions extends Omit<ProxyOptions, 'onExchange'> {
  /** The file to write, if any. */
  readonly out: string | undefined
  /** Whether to replace an existing file. */
  readonly force: boolean
  /** 0 for a free port. */
  readonly port: number
  readonly masking: MaskSettings
  /** Gets each masked exchange, and why there was no reply. Without a file, the exchange has its bodies. */
  readonly onExchange: (exchange: Exchange, problem: string | undefined) => void
  /** Called when an exchange cannot be written. */
  readonly onTrouble: (error: Error) => void
}

/**
 * Starts a proxy in front of a service, which masks exchanges and writes them to a file.
 * @throws {ListenError} if the address cannot be used
 * @throws the error of the file system if the file cannot be created
 */
export async function startRecorder(options: RecorderOptions) {
  const { upstream, out, force, masking, maxBody, onExchange, onTrouble } = options
  const pseudonyms = new Pseudonyms(masking.key, masking.vocabulary.regions)
  const origin = `${upstream.protocol}//${pseudonyms.ofHost(upstream.host)}`
  const thread = startMasking({ settings: masking, maxBody, origin, wantsBodies: out === undefined })
  let file: Awaited<ReturnType<typeof createHar>> | undefined
  let count = 0
  /** Exchanges are masked and written one by one. */
  let last: Promise<void> = Promise.resolve()
  const proxy = new ReverseProxy({
    ...options,
    onExchange: (passed, problem) => {
      last = last
        .then(() => thread.mask({ number: ++count, ...passed }))
        .then(({ exchange, entry }) => {
          onExchange(exchange, problem)
          return file?.append(entry)
        })
        .catch(onTrouble)
      return last
    }
  })
  let url: string
  try {
    // The address first: if it cannot be used, an existing file must stay.
    url = await listen(proxy, options)
    if (out !== undefined) file = await createHar(out, force)
  } catch (error) {
    await Promise.allSettled([proxy.close(), thread.close()])
    throw error
  }
  return {
    url,
    /** Waits for requests in flight, at most until the signal is aborted, and then closes the file. */
    close: async (signal: AbortSignal): Promise<void> => {
      await proxy.close(signal)
      await last
      await thread.close()
      await file?.close()
    },
    kept: thread.kept
  }
}

async function listen({ server }: ReverseProxy, { host, port }: RecorderOptions): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(listenError(error, { host, port }))
    })
    server.listen(port, host, resolve)
  })
  const { port: own } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${own}`
}
