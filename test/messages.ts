// The messages of errors. A test names a condition and a key of this table, or the wrong fields with their reasons.
// Nothing here comes from `src/`, so that the tests notice when a text, a status or a Type changes there.

const DURATION = 'must be a duration such as 90s, 1h30m or 7d, or in ISO 8601 such as PT1H30M'
const OLDER = 'Older requests ({dropped}) are no longer in the journal, and were not checked.'
const UNREAD = 'Some bodies were too large to keep, and were not checked.'
const PERHAPS_MORE = 'Calls of {operation} that match: {count}, but that may not be all.'
const CLEAR = 'Clear the journal before the calls to verify, or raise --journal-requests and --journal-bytes.'
const ROOM = 'Use an existing one, remove some (POST /_mock/sandboxes/purge), or raise the limit.'

/** The conditions, with HTTP status, Type and messages. A test gives the values of placeholders such as `{name}`. */
const ERRORS = {
  invalidBody: {
    status: 400,
    type: 'Bad-Request',
    messages: {
      headersTooLarge: 'The request line and the headers are larger than 16384 bytes.',
      duplicateHeader: 'The request is not valid: it has the header {name} more than once.',
      malformedUrl: "The request is not valid: '{url}' is not a valid url component.",
      noHost: 'The request is not valid HTTP: it has no Host header.',
      notHttp: 'The request is not valid HTTP: {name}.',
      notJson: 'The body is not valid JSON.',
      notUtf8: 'The body is not valid JSON: it is not UTF-8.'
    }
  },
  notAllowed: {
    status: 400,
    type: 'Bad-Request',
    messages: {
      called: 'Calls of {operation} that match: {count}; expected: {wanted}.',
      calledNear: 'Calls of {operation} that match: {count}; expected: {wanted}; {calls}.',
      calledOfTheRest: `Calls of {operation} that match: {count}; expected: {wanted}. ${OLDER}`,
      databaseInUse: 'The database {id} still has workspaces ({workspaces}); delete them first.',
      journalOff: 'The journal is off (--journal-requests 0), so nothing can be verified.',
      notIdle: 'The sandbox does not become idle by {time}: {events}.',
      notReached: 'The workspace {id} does not become {status} by {time}: it is {is}, and {why}.',
      oneSandbox: 'With --auth off there is one sandbox, and no key that could name another; use --auth any.',
      perhapsMoreOlder: `${PERHAPS_MORE} ${OLDER} ${CLEAR}`,
      perhapsMoreUnread: `${PERHAPS_MORE} ${UNREAD} ${CLEAR}`,
      readOnly: 'Only a read-write workspace can be {verb}; this one is read-only.',
      removed: 'The sandbox was removed while the request was under way.',
      state: 'The workspace {id} is {state}; {name} is possible only in {states}.',
      step: 'Step {step} of {steps}, {operation}, was not found.',
      stepAfter: 'Step {step} of {steps}, {operation}, was not found after {previous}.',
      stepNear: 'Step {step} of {steps}, {operation}, was not found; {calls}.',
      tooManyEvents:
        'More than 50000 events are due. Those that ran are kept, and the clock stands at {now}: repeat the call to ' +
        'continue, or move in smaller steps.',
      tooManyEventsBefore:
        'More than 50000 events are due before that; move the clock in smaller steps, with by or to.',
      workgroupInUse:
        'The workgroup {id} still has databases ({databases}) and workspaces ({workspaces}); delete them first.'
    }
  },
  unauthorized: {
    status: 401,
    type: 'Unauthorized',
    messages: {
      gone: 'The sandbox of this key is gone: it has expired, or was removed.',
      required: 'A credential is required: send x-api-key: <key> or Authorization: Bearer <token>.',
      unknown: 'The credential is unknown; the server accepts only the keys of --api-key.'
    }
  },
  forbidden: {
    status: 403,
    type: 'Forbidden',
    messages: {
      allSandboxes:
        'This call is about all sandboxes, so the server must have a --control-token, and the call must send it ' +
        'as X-Mock-Token.',
      apiKey: 'This operation does not accept an API key; send a session as Authorization: Bearer <token>.',
      elsewhere:
        'The control API refuses callers from elsewhere ({address}); use --control-token or --control open to let ' +
        'them in.',
      host: 'The control API refuses requests for the host {host}; allow it with --allowed-host.',
      page: 'The control API refuses pages of another origin ({origin}); allow it with --cors-origin.',
      pageWithoutKey:
        'With --auth off, the server refuses pages of another origin ({origin}); allow it with --cors-origin.',
      hostWithoutKey: 'With --auth off, the server refuses requests for the host {host}; allow it with --allowed-host.',
      proxy:
        'The control API refuses callers behind a proxy that is not trusted, or does not identify them; use ' +
        '--trust-proxy, --control-token or --control open to let them in.',
      token: 'The control API refuses requests without the right token; send it as X-Mock-Token.'
    }
  },
  quotaExceeded: {
    status: 403,
    type: 'Quota-Exceed',
    messages: {
      faults: 'The sandbox has 1000 faults, the maximum; remove some first.',
      listeners: 'There are {limit} listeners already; close one of them first.',
      noRoom:
        'The sandbox has {has} resources, and no room for {more} more; delete some. The maximum is {limit} ' +
        '(--max-resources).',
      quota: 'The quota {quota} ({maximum}) is used up.',
      quotaPerOf: 'The quota {quota} ({maximum} per {per}) is used up; delete a {what} first.',
      quotaOf: 'The quota {quota} ({maximum}) is used up; delete a {what} first.',
      sandboxes:
        'There are {limit} sandboxes already, the maximum of --max-sandboxes. All of them were ' +
        `used too recently to be replaced (--sandbox-idle). ${ROOM}`,
      sandboxesForEver:
        'There are {limit} sandboxes already, the maximum of --max-sandboxes. None of them can be replaced, because ' +
        `--sandbox-idle is off. ${ROOM}`,
      snapshots:
        'The sandbox has {limit} snapshots, the maximum of --max-snapshots; delete one, or save under its name.',
      tooLarge: 'The sandbox would have {count} resources. The maximum is {limit} (--max-resources).'
    }
  },
  notFound: {
    status: 404,
    type: 'Not-Found',
    messages: {
      console: 'The console has not been built: npm run build makes it, in dist/console.',
      page: 'The page has not been built: npm run build makes it, in dist/docs.',
      resource: 'There is no {what} {id}.',
      route: 'There is no operation at {method} {path}.',
      routeNear: 'There is no operation at {method} {path}. {advice}'
    }
  },
  methodNotAllowed: {
    status: 405,
    type: 'Bad-Request',
    messages: { method: '{method} is not allowed here. Allowed: {allow}.' }
  },
  bodyTooLarge: {
    status: 413,
    type: 'Bad-Request',
    messages: {
      bytes: 'The body is larger than the server accepts (option --body-limit).',
      memory: 'The body would take too much memory once parsed; send less at once.'
    }
  },
  unsupportedMediaType: {
    status: 415,
    type: 'Bad-Request',
    messages: {
      charset: 'The body must be UTF-8: send Content-Type: application/json.',
      compressed: 'The body must not be compressed: send it without Content-Encoding.',
      type: 'The body must be JSON: send Content-Type: application/json.'
    }
  },
  internal: {
    status: 500,
    type: 'Internal-Error',
    messages: { unexpected: 'An unexpected error occurred; see the log of the server.' }
  },
  databaseFull: {
    status: 507,
    type: 'Quota-Exceed',
    messages: {
      full:
        'The database has reached --max-database-bytes, so this cannot be stored. Delete something, remove ' +
        'sandboxes, or raise the limit.'
    }
  },
  unavailable: {
    status: 503,
    type: 'Internal-Error',
    messages: {
      readers: '4 others are reading recordings; try again in a moment.',
      behind:
        'The sandbox has to catch up with more than 50000 events. Those that ran are kept; repeat the call to ' +
        'continue.',
      bodies: 'The bodies of other requests take up all available memory, so nothing was changed; try again.',
      closing: 'The server is shutting down.',
      damaged: 'The database is damaged; see the log of the server.',
      stopped: 'The server has been stopped.',
      unwritable:
        'The database cannot be written, so this cannot be stored. Is the disk full or read-only, ' +
        'or was the file moved?'
    }
  }
} as const

/** Reasons to refuse a field; each completes a sentence that begins with the field. */
const REASONS = {
  // Of any request
  atLeast: 'must be at least {limit}',
  atMost: 'must be at most {limit}',
  depth: 'must not be nested more than 1000 levels deep',
  fieldName: 'is not allowed as the name of a field',
  length: 'must be {min} to {max} characters long',
  maxItems: 'must have at most {limit} items',
  minItems: 'must have at least {limit} item',
  moreThan: 'must be more than {limit}',
  noBody: 'must be a JSON object, and is required',
  number: `must be a number between -${Number.MAX_VALUE} and ${Number.MAX_VALUE}`,
  oneOf: 'must be one of {known}',
  required: 'is required',
  repeated: 'must not have the same item twice',
  timestamp: 'must be a timestamp such as 2026-01-02T03:04:05.678Z',
  unicode: 'must be well-formed Unicode, without half a surrogate pair',
  unknown: 'is not a field of this request',
  wrongType: 'must be {needed}, not {given}',
  // Of operations
  cidr: 'must be an IPv4 or IPv6 address or CIDR block, such as 203.0.113.0/24',
  cron: 'must be a cron line of five fields, such as 0 3 * * *',
  cronField: 'must be a cron line of five fields, such as 0 3 * * * ({why})',
  date: 'must be a date in the form YYYY-MM-DD',
  dateRequired: 'is required when repeat is none',
  lastAdmin: 'must include org-admin, because this is the last org admin',
  never: 'never fires; no date matches it',
  newDatabase: 'must be true for a workspace with a new database; name its svc_database_id for a read-only one',
  notBackup: '{id} is not a backup of this workspace',
  notDatabase: '{id} is not a database of this workgroup',
  notSchedule: '{id} is not a schedule of this workspace',
  otherSchedule: '{id} is a schedule of another workspace',
  unclearSchedule:
    'is needed in the query, because the schedule is already like this: update_workspace_schedule or ' +
    'delete_workspace_schedule',
  notSucceeded: '{id} is {state}; only a backup that has Succeeded can be restored',
  notUser: '{name} is not a user of this workspace',
  onAllowList: '{cidr} is already on the allow list, as {id}',
  otherPath: 'must be {id}, the one in the path',
  pastDate: 'and time ({date} {time} in {timezone}) must not be in the past; it is {now}',
  pauseAndResize: 'cannot be combined with another size of an active workspace; pause it after the resize',
  running: '{id} is still Running; delete it when it has ended',
  secondWriter: 'must be false, because the database already has a read-write workspace, {other}',
  time: 'must be a time in the form HH:mm',
  timeZone: 'must be an IANA time zone such as Europe/Berlin',
  usernameTaken: '{name} is taken; choose another',
  weekdays: 'must be weekdays such as Mon,Thu',
  // Of the clock and the rules
  afterHeld: 'cannot be combined with outcome hold; a held transition ends when it is released',
  beforeChange: 'must not be before {time}, the time of the newest change',
  beyond: 'must not lead beyond 9999-12-31T23:59:59.999Z',
  clockTime: 'must be a timestamp such as 2026-01-02T03:04:05.678Z, at most 9999-12-31T23:59:59.999Z',
  cutBefore: 'must be after-commit with reply cut; before the work there is no reply to cut',
  delay: `${DURATION}, and at most PT10M`,
  delayRange: 'must be at least effect.delay.min, {min}',
  duration: DURATION,
  errorStatus: 'must be 200, or from 400 to 599',
  noEffect: 'must have at least one of status, delay, reply, stale',
  notWorkspace: '{id} is not a workspace',
  oneWay: 'must have exactly one of by, to and until',
  onlyWithFail: 'is allowed only with outcome fail',
  onlyWithStatus: 'is allowed only with status',
  past: 'must not be in the past; it is {now}',
  until: 'must be "idle", or an object with workspace_id and status',
  withStatus: 'cannot be combined with status',
  workspaceId: 'must be the id of a workspace',
  // Of sandboxes and requests
  baseline: 'must not be baseline, which a reset returns to',
  positiveDuration: `${DURATION}, and more than zero`,
  readableId:
    'must be 1 to 256 letters, digits, ".", "_", "~" or "-", the first a letter or digit, so that it can stand in ' +
    'a URL',
  traceFilter: 'must be a trace-id: 32 hexadecimal digits in lower case, not all 0',
  statusFilter: 'must be a status such as 404, or a class such as 4xx',
  timesBounds: 'must not have an atLeast above its atMost',
  timesForm: 'must have either exactly, or atLeast, atMost or both',
  addonsSize: 'must take at most 16 MiB in all workspaces together',
  tooLarge: 'must take at most 64 KiB; name the fields that matter',
  tooManyFields: 'must have at most 250 fields, at any depth; name those that matter',
  verification: 'must be present without sequence, and absent with it',
  withSequence: 'cannot be combined with sequence; each step has its own where',
  // Of profiles
  eitherForm: 'must have either min and max, or instant, fast, realistic',
  maxBelow: 'must be at least {min}, the minimum',
  plan: 'must be one of the plans of the profile: {plans}',
  form: 'must be 1, the form of this server',
  haBelow: 'must be at least {replicas}, the replicas without it',
  noneToCreate: 'must have an entry that new workspaces can have',
  unknownInProfile: 'is not a field of a profile',
  unknownInProfileMeant: 'is not a field of a profile (did you mean {meant}?)',
  notResizable: '{type} is not a type that a workspace can be resized to',
  otherProfile: 'is {theirs}, but this server has the profile {ours}',
  // Of state documents
  absentForReader: 'must be absent for a read-only workspace',
  afterFault: 'must be above that of the rule before it, {id}',
  beforeNewest: 'must not be before {field}, the newest change',
  beforeRow: 'must not be before {field}, because the timeline is in order of time',
  databaseForReader: 'is required for a read-only workspace',
  databaseId: 'must be the id of a database of this workgroup, but is {id}',
  emptyForReader: 'must be empty for a read-only workspace',
  eventWorkspace: 'must be the id of a workspace of this document, but is {id}',
  format: 'must be {known}, but is {format}',
  jobId: 'must be the id of a restore job of the workspace that is Pending or Running',
  jobMissing: 'must end with a job that is Pending or Running, because status is Restoring',
  jobNotLast: 'must not be Running unless it is the last job and status of the workspace is Restoring',
  needsActive: 'needs a workspace that is Active',
  needsBackupSchedule: 'needs a workspace with a backup_schedule that is not paused',
  needsNow: 'needs clock.now, the time that it belongs to',
  needsReadWrite: 'needs a read-write workspace',
  needsRefreshing: 'needs a workspace whose refresh_status is Refreshing',
  needsState: 'needs a workspace that is {needed}, but it is {state}',
  newerFormat: 'must be {known}, but is {format}; it was written by a newer server, use that one',
  noAdmin: 'must have a user who is enabled and has the role org-admin',
  onePassword: 'must have exactly one of password and password_hash',
  onlyForReader: 'is allowed only for a read-only workspace',
  onlyInReal: 'is allowed only in mode real',
  refreshing: 'must not be Refreshing unless status is Active',
  reservedId: 'must not be {id}, which is an operation of the allow list',
  runningBackupId: 'must be the id of a backup of the workspace that is Running',
  scheduleId: 'must be the id of a schedule of the workspace',
  sizeOfReader: 'must be the size of the workspace, because it is read-only',
  stateOfReader: 'must not be {state} for a read-only workspace',
  taken: 'is taken already, by {field}',
  unknownInFile: 'is not a field of a state document',
  unknownMeant: 'is not a field of a state document (did you mean {meant}?)',
  tooManyEvents: 'has {has} entries; the maximum is {limit} (4 times --max-resources)',
  tooManyResources: 'has {has} resources; the maximum is {limit} (--max-resources)',
  tooManyRows: 'has {has} entries; the maximum is {limit} (--timeline-entries)'
} as const

const TYPES = {
  array: 'an array',
  boolean: 'a boolean',
  fraction: 'a fraction',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string'
} as const

export type Condition = keyof typeof ERRORS
type ReasonKey = keyof typeof REASONS

export type Values = Readonly<Record<string, string | number>>

export type Reason = ReasonKey | readonly [ReasonKey, Values]

/** Wrong fields by dotted path, '' for the body. */
export type Fields = Readonly<Record<string, Reason>>

/** The key of a message of the condition, or the wrong fields. */
export type Problem<C extends Condition> =
  keyof (typeof ERRORS)[C]['messages'] | (C extends 'invalidBody' | 'notAllowed' ? Fields : never)

/** For nearly all texts. */
export const LENGTH = ['length', { min: 1, max: 256 }] as const

export const wrongType = (needed: keyof typeof TYPES, given: keyof typeof TYPES) =>
  ['wrongType', { needed: TYPES[needed], given: TYPES[given] }] as const

export const oneOf = (...known: readonly string[]) => ['oneOf', { known: known.join(', ') }] as const

/** The message of a fault rule without a reason. */
export const injected = (id: string): string => `Injected fault ${id}.`

/** The end of a message that does not name all wrong fields. */
export const andMore = (count: number | string): string => `; ${count} more.`

/** The value of placeholders without one of their own. */
const ANY = '*'

export function codesOf(condition: Condition): { status: number; type: string } {
  const { status, type } = ERRORS[condition]
  return { status, type }
}

export function reasonOf(reason: Reason, values: Values = {}): string {
  const [key, own] = typeof reason === 'string' ? [reason, {}] : reason
  return fill(REASONS[key], { ...values, ...own })
}

export function reasonsOf(fields: Fields, values: Values = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([field, reason]) => [field, reasonOf(reason, values)]))
}

/** @param body stands for the field '' */
export function sentenceOf(fields: Fields, values: Values = {}, body = 'the body'): string {
  return Object.entries(reasonsOf(fields, values))
    .map(([field, reason]) => `${field === '' ? body : field} ${reason}`)
    .join('; ')
}

export function messageOf<C extends Condition>(condition: C, problem: Problem<C>, values: Values = {}): string {
  if (typeof problem === 'object') {
    const sentence = sentenceOf(problem, values)
    return condition === 'invalidBody' ? `The request is not valid: ${sentence}.` : `${sentence}.`
  }
  const messages: Readonly<Record<string, string>> = ERRORS[condition].messages
  return fill(messages[problem as string]!, values)
}

/** The message of an error, in which placeholders without a value match any text. */
export function patternOf<C extends Condition>(condition: C, problem: Problem<C>, values: Values = {}): RegExp {
  const message = messageOf(condition, problem, { ...values, [ANY]: '\0' })
  return new RegExp(`^${message.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll('\0', '.+')}$`)
}

function fill(template: string, values: Values): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? values[ANY]
    if (value === undefined) throw new Error(`there is no ${name} for: ${template}`)
    return String(value)
  })
}
