/**
 * Words of an interface rather than of its users: to replace one would invent a difference between two services. A name
 * that is one of these stays.
 */
const WORDS = new Set(
  `accepted active admin alert all allow any api apikey archived auth authorization automatic available aws azure
  backup backups basic bearer billing busy cancelled completed controller cookie copilot create created creating cron
  current daily data database databases dbuser default delete deleted deleting demo deny detail development
  disable disabled enable enabled error errors eu event example expired failed failure false finished forbidden
  free full gcp get global google health healthy host hourly id idle inactive info insights internal invalid ip
  job jobs key large list local main maintenance manual medium member members message meta metadata middleware
  minimum monthly name names new none null off offline ok on online operation org orgs owner password paused
  pausing pending post prod production project provisioning public put read ready refresh refreshing region
  regions request required response restart restore restored restoring result resume resumed resuming role roles
  root running schedule scheduled schedules schema secret security service session settings small snapshot stage
  staging standard state status stopped stopping string succeeded success suspended svc system terminated
  terminating test token true type types unauthorized unavailable unhealthy unknown update updated updating us
  user username users v1 v2 v3 v4 value version versions viewer warning weekly workgroup workgroups workspace
  workspaces write`.split(/\s+/)
)

/** Whether a text is a word of the interface: also a version, a region, a time or a number. */
export function isClosed(text: string): boolean {
  // A service names backups after their times.
  const word = text.replace(/-\d{4}-\d\d-\d\dT[\d:.]+Z$/, '')
  return isOfWords(word) || FORMS.some((form) => form.test(text))
}

/** Whether a text is made of such words, as the name of a role is. */
function isOfWords(text: string): boolean {
  const parts = text.toLowerCase().split(/[-_ ]/)
  return parts.length <= 3 && parts.every((part) => WORDS.has(part))
}

/** Further words of short replies, such as those of a gateway. */
const REPLY_WORDS = new Set(
  `a again an and are at authentication authorized bad be been code connect content could does entity exist for found
  from gateway has implemented is it it's later limit many method moved no not of on or page parameter path
  permanently please resource route server service such temporarily that the there this timed timeout to too
  unprocessable unreachable upstream was with`.split(/\s+/)
)

/** Whether a text is a sentence of such words, as that of a gateway may be: `404 page not found`. */
export function isSentence(text: string): boolean {
  if (text.length > 120) return false
  return text
    .toLowerCase()
    .split(/[\s.,;!-]/)
    .every((part) => WORDS.has(part) || REPLY_WORDS.has(part) || /^(?:[1-5]\d\d:?)?$/.test(part))
}

const CONTINENT = '(?:us|europe|asia|africa|australia|me|(?:north|south)america)'
const REGION = new RegExp(
  String.raw`^(?:[a-z]{2}(?:-gov|-iso[a-z]?)?-[a-z]+-\d[a-z]?|${CONTINENT}-[a-z]+\d{1,2}(?:-[a-z])?)$`
)

/** A part of a cron line. Days and months may have names; other words are no schedule. */
const DAYS_AND_MONTHS = 'mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec'
const CRON_PART = String.raw`(?:[\d*/,?LW#-]|${DAYS_AND_MONTHS.split(' ').join('|')})+`

const FORMS = [
  // A number, a version, a date, a duration
  /^[v=<>~^]?\d+(?:\.\d+){0,3}(?:-[a-z]{1,8}\.?\d{0,4})?$/i,
  /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/,
  /^P(?:\d+[YMWD])*(?:T(?:\d+(?:\.\d+)?[HMS])+)?$/,
  /^(?:\d+(?:ms|s|m|h|d))+$/,
  // A cron line
  new RegExp(String.raw`^(?:@[a-z]+|[\d*/,?-]+(?: ${CRON_PART}){4,6})$`, 'i'),
  // A region or a zone, as the large clouds name theirs; a workspace type
  REGION,
  /^[A-Z]{2,6}-\d{1,4}(?:-[A-Z0-9]{1,4})?$/,
  // Code of an error
  /^[A-Z]{1,8}[-_]\d{3,5}$/
]

/** A label of a host name that says where a host is. */
export function isRegion(label: string): boolean {
  return REGION.test(label)
}
