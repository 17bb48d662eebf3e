import type { Exchange } from '../../src/fidelity/exchange.js'
import { HAR_HEAD, HAR_TAIL, toHarEntry } from '../../src/fidelity/har/write.js'
import { startMock } from '../../src/node/index.js'
import { BUILT_IN_CATALOGUE } from '../../src/profile/catalogue.js'
import type { ProfileDocument } from '../../src/profile/schemas.js'
import { Chance } from './chance.js'
import { careful } from './client.js'
import { recorderOf } from './recorder.js'
import { work } from './workload.js'

/** Differences between the service and the mock. */
export interface Perturb {
  /** Parts that replace those of the other profile. */
  readonly profile?: Partial<ProfileDocument>
  /** Changes an exchange as it is recorded; `random` gives values from 0 to 1. */
  readonly rewrite?: (exchange: Exchange, random: () => number) => Exchange
}

interface PlayOptions {
  readonly seed: number
  /** The hidden profile of the service. */
  readonly profile?: ProfileDocument | undefined
  readonly perturb?: Perturb | undefined
  /** Whether some requests fail, or lose their replies. */
  readonly faults?: boolean | undefined
}

/** Recordings as JSON, by what was played. */
const recorded = new Map<string, Promise<string>>()

/** Plays a real service, and a team that uses it for some hours. @returns the exchanges as a proxy would record them */
export async function playService(options: PlayOptions): Promise<Exchange[]> {
  const { rewrite, profile } = options.perturb ?? {}
  // A run is slow, so perturbations that only rewrite exchanges, and all tests of a process, share it.
  const key = JSON.stringify({ ...options, perturb: { profile } })
  const recording = recorded.get(key) ?? record(options).then((exchanges) => JSON.stringify(exchanges))
  recorded.set(key, recording)
  return rewritten(JSON.parse(await recording) as Exchange[], options.seed, rewrite)
}

async function record({ seed, profile, perturb = {}, faults = false }: PlayOptions): Promise<Exchange[]> {
  const chance = (of: string) => new Chance(`${of} ${seed}`)
  const setting = chance('setting')
  const served = merged(profile, perturb.profile)
  const basePath = setting.pick(['', '', '/api', '/cloud/v1'])
  await using mock = await startMock({
    seed,
    transitions: 'realistic',
    auth: 'strict',
    apiKeys: ['rival=of-a-rival'],
    trustProxy: ['127.0.0.1'],
    ...(basePath === '' ? {} : { basePath }),
    ...(served === undefined ? {} : { profile: served as never })
  })
  const box = mock.sandbox('of-a-rival')
  const start =
    Date.UTC(2026, setting.whole(0, 11), setting.whole(1, 28), setting.whole(0, 23)) + setting.whole(0, 3_599_999)
  await box.clock.freeze(new Date(start).toISOString())
  const recorder = recorderOf({
    box,
    start,
    clock: { offset: setting.whole(-1500, 1500), drift: setting.between(-50, 50), jitter: 5 },
    chance: chance('recorder'),
    clientAddress: `203.0.113.${setting.whole(1, 254)}`
  })
  const client = careful({
    recorder,
    basePath,
    profile: served,
    chance: chance('client'),
    mishaps: faults ? chance('mishaps') : undefined
  })
  const { region, types } = offerOf(served, setting)
  await work(client, chance('workload'), box, region, types)
  return recorder.exchanges()
}

/** Exchanges as an HTTP Archive. */
export const archiveOf = (exchanges: readonly Exchange[]): string =>
  HAR_HEAD + exchanges.map((one) => JSON.stringify(toHarEntry(one, 'https://api.example.test'))).join() + HAR_TAIL

/** A region and workspace types of a service with a profile. */
function offerOf(profile: ProfileDocument | undefined, chance: Chance): { region: string; types: string[] } {
  const { regions = BUILT_IN_CATALOGUE.regions, workspace_types: types = BUILT_IN_CATALOGUE.workspace_types } =
    profile?.catalogue ?? {}
  const usable = types.filter(({ create, resize }) => create !== false && resize !== false)
  // Neighbours differ if there are at least two types.
  const names = Array.from({ length: 6 }, (_, index) => usable[index % usable.length]!.typeName)
  return { region: chance.pick(regions).name, types: names }
}

function merged(profile: ProfileDocument | undefined, parts: Partial<ProfileDocument> | undefined) {
  if (parts === undefined) return profile
  return { profile: 1, name: 'service', ...profile, ...parts } satisfies ProfileDocument
}

function rewritten(exchanges: Exchange[], seed: number, rewrite: Perturb['rewrite']): Exchange[] {
  if (rewrite === undefined) return exchanges
  const chance = new Chance(`rewrite ${seed}`)
  return exchanges.map((exchange) => rewrite(exchange, () => chance.next()))
}
