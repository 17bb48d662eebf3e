import { isSecret } from '../../journal/mask.js'
import { isClosed } from './closed.js'
import type { Kind } from './pseudonyms.js'

/** The words of a field's name in snake case. */
function snake(field: string): string {
  return field.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+/g, '_').toLowerCase()
}

/** Finds names that end in one of some words. */
function endingIn(words: string, rest = ''): RegExp {
  return new RegExp(`(?:^|_)(?:${words.split(/\s+/).join('|')})${rest}$`)
}

/** Of a secret, this says something about it. */
const ABOUT = endingIn(
  `type kind method mode status state scheme format policy enabled required count limit length at in ttl expiry expires
  expiration days hours minutes seconds timeout version algorithm region regions`
)

/** Whether the value of a field is a secret. */
export function isSecretField(field: string): boolean {
  return isSecret(field) && !ABOUT.test(snake(field))
}

/** In the query of a URL: what an identity provider hands over. */
const HANDED_OVER = 'code|state|nonce|ticket|assertion|samlresponse|relaystate|code_verifier|code_challenge|login_hint'
const WHOLE_HANDED_OVER = new RegExp(`^(?:${HANDED_OVER})$`, 'i')

/** Finds such a parameter in a text, with what stands before its value. */
export const HANDED_OVER_IN_URL = new RegExp(`([?&#])(${HANDED_OVER})=([^\\s"'&,;#<>\\\\]+)`, 'gi')

/** Whether the value of a URL's parameter may be a secret that an identity provider hands over. */
export function isHandedOver(parameter: string, value: string): boolean {
  // Lists are also filtered by a state.
  return WHOLE_HANDED_OVER.test(parameter) && !(parameter.toLowerCase() === 'state' && isClosed(value))
}

/** What a secret of a field is called. */
export function kindOfSecret(field: string): Kind {
  const name = snake(field)
  if (/pass|pwd/.test(name)) return 'password'
  if (/cookie/.test(name)) return 'cookie'
  if (/session|(?:^|_)sid$/.test(name)) return 'session'
  if (/token|jwt/.test(name)) return 'token'
  return /key/.test(name) ? 'key' : 'secret'
}

/** Whether the value of a field may be the name of a host. */
export function isHostField(field: string): boolean {
  return /(?:^|_)(?:host|hosts|hostname|domain|domains|endpoint|endpoints|fqdn|origin|server|url|uri|href|link)$/.test(
    snake(field)
  )
}

/** Whether a field names an account at a cloud provider. */
export function isAccountField(field: string): boolean {
  return /(?:^|_)(?:account|account_id|cloud_provider_id|project_id|subscription|subscription_id|tenant_id)$/.test(
    snake(field)
  )
}

/** Whether a field is about a version, where four numbers are no IP address. */
export function isVersionField(field: string): boolean {
  return /version|user_agent|release/.test(snake(field))
}

/** What people choose or are called. */
const CHOSEN = endingIn(
  `name names username login title label labels tag tags description comment comments note notes creator owner
  created_by updated_by modified_by company customer customer_id
  org slug tenant team organization organisation phone mobile fax city street postal_code
  firstname lastname surname fullname displayname nickname id ids uuid uuids`
)

/** Before these words: what the service names. */
const OF_SERVICE = endingIn(
  `region type version role event state status operation provider platform addon addons zone metric unit field header
  plan tier sku size image cloud format kind class engine error condition action command method product feature
  addons catalog request trace span correlation`,
  '_(?:name|names|label|title|description|id|ids|uuid)'
)

/** Whether people choose the value of a field, such as a name. */
export function isChosenField(field: string): boolean {
  const name = snake(field)
  return CHOSEN.test(name) && !OF_SERVICE.test(name)
}

/** Whether a field says by itself of which resource it is the name, such as `workgroup_name`. */
export function isQualified(field: string): boolean {
  return !/^(?:name|names|title|label|labels|tag|tags|description|comment|comments|note|notes|ids?|uuids?)$/.test(
    snake(field)
  )
}

/** Lists of the service's own things. */
const CATALOGUES = endingIn(
  `regions types versions platforms providers addons zones plans tiers sizes roles permissions`
)

/** Whether a field is a list of what a service offers: names and ids in it are its own. */
export function isCatalogue(field: string): boolean {
  return CATALOGUES.test(snake(field))
}

const OWNERS = endingIn(
  `org organization organisation company customer team tenant workgroup workspace database user owner member account
  creator author profile`,
  's?'
)

/** Whether a field stands for somebody, or for something that somebody made. */
export function isOwner(field: string): boolean {
  return OWNERS.test(snake(field))
}

/** Whether an object is about a resource that somebody made, rather than an entry of a catalogue. */
export function isResource(object: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(object).some((field) => /(?:^|_)(?:id|uuid|srn|arn|created_at|updated_at)$/.test(snake(field)))
}
