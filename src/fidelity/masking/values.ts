import { MASKED } from '../../journal/mask.js'
import { isClosed } from './closed.js'
import {
  isAccountField,
  isCatalogue,
  isChosenField,
  isHandedOver,
  isHostField,
  isOwner,
  isQualified,
  isResource,
  isSecretField,
  isVersionField,
  kindOfSecret
} from './fields.js'
import { looksLikeHost } from './hosts.js'
import type { Texts } from './texts.js'

/** What is deeper is left out. */
const DEEPEST = 200

/** Before a credential. */
const SCHEME = /^(bearer|basic|token|apikey|api-key|key|digest|negotiate|oauth|hawk|aws4-hmac-sha256)\s+(\S.*)$/is

/** A name that a service made of a word and the first digits of an id, masked. */
const MADE = /^(?:[a-z]+[-_])+0000[0-9a-f]{4}$/

const OWN_UUID = '[0-9a-f]{8}-0000-[0-9a-f]000-[0-9a-f]000-0{8}[0-9a-f]{4}'

/** Where a value stands. */
interface Place {
  readonly field: string
  /** Whether people choose what stands in a field such as `name` here. */
  readonly isChosen: boolean
  /** Whether everything here is secret. */
  readonly isHidden?: boolean
  /** How many levels of texts it is in. */
  readonly depth: number
  readonly level: number
}

const TOP: Place = { field: '', isChosen: false, depth: 0, level: 0 }

/** Masks JSON: fields say what their values are. */
export class Values {
  readonly #texts: Texts

  constructor(texts: Texts) {
    this.#texts = texts
  }

  /** @param isSent whether it was sent by a client, who chose all names in it */
  mask(value: unknown, isSent: boolean): unknown {
    return this.#value(value, { ...TOP, isChosen: isSent })
  }

  /** Masks JSON that was found in a text. */
  maskJson(value: unknown, depth: number): unknown {
    return this.#value(value, { ...TOP, depth })
  }

  /** Masks a text that a client sent in a field. */
  maskSent(text: string, field: string): string {
    if (isHandedOver(field, text)) return this.#texts.secret(text, 'token')
    return this.#text(text, { ...TOP, field, isChosen: true })
  }

  /** Masks a credential. The scheme before it stays. */
  credential(field: string, text: string): string {
    const kind = kindOfSecret(field)
    if (kind === 'password' || !SCHEME.test(text)) return this.#texts.secret(text, kind)
    return text.replace(SCHEME, (_, scheme: string, secret: string) => {
      return `${scheme} ${this.#texts.credential(scheme, secret)}`
    })
  }

  #value(value: unknown, place: Place): unknown {
    if (typeof value === 'string') return this.#text(value, place)
    if (typeof value === 'number') return this.#number(value, place)
    if (typeof value !== 'object' || value === null) return value
    if (place.level === DEEPEST) return MASKED
    const inner = { ...place, level: place.level + 1 }
    return Array.isArray(value)
      ? value.map((item) => this.#value(item, inner))
      : this.#object(value as Readonly<Record<string, unknown>>, inner, place.field)
  }

  /** @param within the field that the object is in */
  #object(
    object: Readonly<Record<string, unknown>>,
    { isChosen, isHidden = false, ...rest }: Place,
    within: string
  ): unknown {
    const isOfPeople = isChosen || isOwner(within) || (isResource(object) && !isCatalogue(within))
    return Object.fromEntries(
      Object.entries(object).map(([field, item]) => {
        const isInside = typeof item === 'object' && !isListOfTexts(item)
        const place = {
          ...rest,
          field,
          isChosen: isChosen || (!isInside && (isOfPeople || isQualified(field))),
          isHidden: isHidden || (isInside && isSecretField(field))
        }
        return [this.#texts.field(field), this.#value(item, place)]
      })
    )
  }

  /** Numbers stay, but for those that are accounts or secrets. */
  #number(value: number, { field, isHidden }: Place): unknown {
    const text = String(value)
    if (isHidden === true || (isSecretField(field) && /(?:passw(?:or)?d|pwd|pin|secret|token|key)$/i.test(field)))
      return this.#texts.secret(text, kindOfSecret(field))
    const masked = isAccountField(field) ? this.#texts.account(text) : text
    return Number(masked)
  }

  #text(text: string, { field, isChosen, isHidden, depth }: Place): string {
    if (text === '' || text === MASKED) return text
    if (isHidden === true || isSecretField(field)) return this.credential(field, text)
    if (isHostField(field) && looksLikeHost(text)) return this.#texts.host(text)
    const masked = this.#texts.mask(text, depth, isVersionField(field))
    if (!isAccountField(field) && !(isChosen && isChosenField(field))) return masked
    return isClosed(text) || isForm(masked) || this.#texts.isMadeOfId(masked) ? masked : this.#texts.name(text)
  }
}

const isListOfTexts = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string')

/** Masked texts that are nothing but an address, an id, or a name made of an id. */
const FORMS = [
  MADE,
  /^user-\d+@example\.test$/,
  /^(?:[\w.-]+\.)?host-\d+\.example\.test$/,
  /^9000000\d{5}$/,
  /^arn:\S+$/,
  new RegExp(`^${OWN_UUID}$`),
  new RegExp(`^(?:/?(?:projects|subscriptions|resourceGroups|storageAccounts|buckets)/(?:project-\\d+|${OWN_UUID}))+$`)
]

const isForm = (text: string) => FORMS.some((form) => form.test(text))
