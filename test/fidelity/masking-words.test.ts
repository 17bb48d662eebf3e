import t, { type Test } from 'tap'
import { isClosed, isRegion, isSentence } from '../../src/fidelity/masking/closed.js'
import * as fields from '../../src/fidelity/masking/fields.js'
import { looksLikeHost } from '../../src/fidelity/masking/hosts.js'
import { isDistinct, isPseudonym } from '../../src/fidelity/masking/pseudonyms.js'
import { looksRandom, replaceRandom, replaceTokens } from '../../src/fidelity/masking/tokens.js'

/** Asserts of which texts something is true. */
function holds(t: Test, is: (text: string) => boolean, yes: readonly string[], no: readonly string[]) {
  t.strictSame(
    yes.filter((text) => !is(text)),
    [],
    'it holds for these'
  )
  t.strictSame(
    no.filter((text) => is(text)),
    [],
    'it does not hold for these'
  )
}

const wordsOf = (text: string) => text.trim().split(/\s+/)

void t.test('words of the interface, and up to three of them, are closed', async (t) => {
  holds(
    t,
    isClosed,
    ['active', 'DEFAULT', 'read_write-user', 'Org Admin', 'default-2026-01-31T09:00:00.000Z'],
    [
      '',
      'acme',
      'user-acme',
      'user user user user',
      'acme-2026-01-31T09:00:00.000Z',
      'default-2026-01-31T09:00:00.000Zx',
      'data-2026-01-31T09:00:00Zbase',
      'data-2026-01-31T09:00:00Zbase'
    ]
  )
})

void t.test('numbers, versions, times and durations are closed', async (t) => {
  holds(
    t,
    isClosed,
    [
      ...wordsOf('4 12 v4.12.1 V4 =1.2 ^1.22.33.44 ~2 <3 >4 4.2.1-rc.12 4.2.1-beta2 4.2.1-b'),
      ...wordsOf('2026-01-31 2026-01-31T09:00:00.000Z 2026-01-31T09:00+01:00 2026-01-31T09:00-0100 2026-01-31T09:00'),
      '2026-01-31 09:00',
      ...wordsOf('P1Y10M PT1H30M P10DT12.25S P2W 1h30m 250ms 10s 7d 2m1s')
    ],
    [
      ...wordsOf('x4 4x vv4 4. 1.2.3.4.5 4.2.1-somethinglong 4.2.1-rc.12345 4-RC! 4.2.1- 4.x'),
      ...wordsOf(`x2026-01-31 2026-01-31x 2026-01-31T 2026-01-31Tx 2026-01-31T09:00+1:00 2026-0x-31 26-01-31
      2026-01-31T09:00Zx`),
      ...wordsOf('PX xP1D P1Dx PT PT1 P1 1h30 x1h 1hx h 1x')
    ]
  )
})

void t.test('cron lines are closed, and other texts of five words are not', async (t) => {
  holds(
    t,
    isClosed,
    ['@daily', '0 9 * * 1-5', '*/15 0 1,15 * MON-FRI', '0 0 9 ? * 2#1', '0 30 9 L * ? 2026', '0 0 LW jan,Dec *'],
    [
      'Payroll of Acme for Jane',
      'a b c d e',
      'MON 1 1 1 1',
      '* * * *',
      '1 2 3 4 5 6 7 8',
      'x@daily',
      '@daily!',
      '@',
      '0 9 * * 1-5 x',
      'x 0 9 * * 1-5',
      '0 9 * * acme'
    ]
  )
})

void t.test('types of workspaces and codes of errors are closed', async (t) => {
  holds(
    t,
    isClosed,
    ['SVC-00', 'SVC-1234', 'SVC-00-X1', 'AB-1', 'ABCDEF-12-ABCD', 'E-404', 'ERR_10001', 'ABCDEFGH-123'],
    [
      'xSVC-00',
      'SVC-00-',
      'SVC-00-X1x',
      'svc-00',
      'ABCDEFG-12',
      'SVC-00-ABCDE',
      'E-40',
      'E_404x',
      'xE_404',
      'e_404',
      'E404'
    ]
  )
})

void t.test('regions and zones are closed', async (t) => {
  const yes = wordsOf(`us-east-1 eu-central-1a us-gov-west-1 us-iso-east-1 us-isob-east-1 europe-west4 europe-west12-b
      northamerica-northeast1 southamerica-east1 me-central2 us-central1-f`)
  const no = wordsOf(`xus-east-1 us-east-1ab us-east us-east-12 USA-east-1 us-gov2-west-1 us-acme-west-1 acme-west4
      europe-west europe-west123 europe-west4-bc europe-west4x us--1 europe-4 xeurope-west4
      middleamerica-east1`)
  holds(t, isRegion, yes, no)
  holds(t, isClosed, yes, no)
})

void t.test('a sentence has words of the interface and of gateways only', async (t) => {
  const long = (length: number) => 'not found '.repeat(12).padEnd(length, '.')
  holds(
    t,
    isSentence,
    [
      'ok',
      '404 page not found',
      '503: Service Unavailable',
      'Bad Gateway.',
      "It's not here".replace('here', 'there'),
      '',
      long(120)
    ],
    ['open sesame', '604 page not found', '4040', 'x404', '404x', '40', '404:x', 'not found: acme', long(121)]
  )
})

void t.test('fields whose values are secret are told by their names', async (t) => {
  holds(
    t,
    fields.isSecretField,
    wordsOf(`password dbPassword client_secret API-Key x.api_key accessToken tokens credentials authorization
      session_id sig`),
    wordsOf(`token_type passwordPolicy secretCount session_idTTL token.expires_at token_expiry keys author name
      password_required passwordMinLength secretRegion apiKeyStatus TokenTYPE`)
  )
  const kinds: Record<string, string> = {
    password: 'password',
    dbPwd: 'password',
    pass: 'password',
    cookies: 'cookie',
    sessionToken: 'session',
    sid: 'session',
    my_sid: 'session',
    SID: 'session',
    accessToken: 'token',
    JWT: 'token',
    apiKey: 'key',
    credential: 'secret',
    signature: 'secret',
    side: 'secret',
    xsid: 'secret'
  }
  for (const [field, kind] of Object.entries(kinds)) t.equal(fields.kindOfSecret(field), kind, field)
})

void t.test('parameters of a URL that an identity provider hands over are told by their names', async (t) => {
  const parameters = wordsOf(
    `code state nonce ticket assertion SAMLResponse RelayState code_verifier code_challenge login_hint`
  )
  holds(t, (name) => fields.isHandedOver(name, 'opensesame'), parameters, wordsOf('codes xcode my_state filter'))
  t.notOk(fields.isHandedOver('state', 'active'), 'a list is filtered by a state')
  t.notOk(fields.isHandedOver('STATE', 'active'))
  t.ok(fields.isHandedOver('code', 'active'))
  t.ok(fields.isHandedOver('RelayState', 'active'))
  t.ok(fields.isHandedOver('code_verifier', 'active'))
})

void t.test('other fields are told by the last words of their names', async (t) => {
  const { isHostField, isAccountField, isVersionField, isChosenField, isQualified, isCatalogue, isOwner } = fields
  holds(
    t,
    isHostField,
    wordsOf('host dbHost nginx_hosts fqdn apiURL redirect-uri href link origin server endpoints hostname domain'),
    wordsOf('hosted ghost curl server_id hostId linked')
  )
  holds(
    t,
    isAccountField,
    wordsOf('account awsAccount account_id accountID cloud_provider_id projectId subscription tenantId gcp.project_id'),
    wordsOf('accounts account_name project xsubscription subscriptions')
  )
  holds(t, isVersionField, wordsOf('version svcVersion versions userAgent release_notes'), wordsOf('user verse'))
  holds(
    t,
    isChosenField,
    wordsOf(`name displayName user_names label tags description createdBy org firstname HTMLTitle id userID uuids
      workgroup-name`),
    wordsOf(`named region_name regionLabel typeTitle versionDescription roleId event_ids operationName requestID
      trace_id span_uuid nameX hyphen role--name`)
  )
  holds(
    t,
    isQualified,
    wordsOf('workgroup_name userName owner names_of my_id'),
    wordsOf('name Names title label labels tag tags description comment comments note notes id ids uuid uuids')
  )
  holds(t, isCatalogue, wordsOf('regions supportedVersions role_permissions'), wordsOf('region regionsOf sregions'))
  holds(
    t,
    isOwner,
    wordsOf('org orgs workgroup currentUser users dbOwner member_accounts'),
    wordsOf('organs musers userId')
  )
})

void t.test('an object with an id, an ARN or times is a resource', async (t) => {
  const is = (field: string) => fields.isResource({ name: 1, [field]: 1 })
  holds(
    t,
    is,
    wordsOf('id workspace_id workspaceID uuid srn roleArn created_at updatedAt'),
    wordsOf('ids idea grid paid created')
  )
})

void t.test('a text with dots between labels is a host', async (t) => {
  holds(
    t,
    looksLikeHost,
    wordsOf('db.acme.io DB.ACME.IO a-1.b-2.c3 1x.acme.io. db.acme.io:8080 a.bc db.acme.cloud x--y.io'),
    wordsOf(`db acme. .acme.io db..io -a.io a-.io db.acme.i db.1cme db.acme.io:123456 db.acme.io: x/db.acme.io
      db.acme.io/x db.acm-`)
  )
})

void t.test('pseudonyms are told by their form', async (t) => {
  holds(
    t,
    isPseudonym,
    wordsOf(`key-1 session-12 cookie-1 password-1 token-1 secret-1 name-999999999 project-1 user-1@example.test
      host-1.example.test`),
    wordsOf('xkey-1! key-1x acme-1 key- key-1234567890 key-1@example.tests KEY-1 a.key-1 key1')
  )
})

void t.test('a secret is told from words by its length, its letters and its other characters', async (t) => {
  holds(
    t,
    isDistinct,
    wordsOf('opensesame opensesa abc-12 abc-de ab1234 a12345'),
    wordsOf('12345678 sesames abcdef 123456 1234567 abc-1 default us-east-1 password')
  )
})

const letters = (count: number) => 'abcdefghijklmnopqrstuvwxyz'.repeat(4).slice(0, count)

void t.test('credentials of well-known services are told by their form', async (t) => {
  const replaced = (text: string) => replaceTokens(text, () => '<>')
  const pem = (label: string, text = 'AB\nCD') => `-----BEGIN ${label}-----\n${text}\n-----END ${label}-----`
  t.equal(replaced(`a ${pem('RSA PRIVATE KEY')} b ${pem('EC2 KEY')} c`), 'a <> b <> c')
  t.equal(replaced('a -----BEGIN PRIVATE KEY-----\nAB'), 'a <>', 'cut off')
  const aws = `wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`
  const tokens = [
    'eyJhbGci-_.eyJzdWI.c2ln-_',
    'eyJhbGciOi.eyJzdWI.',
    'eyJhbGciOi..ab.cd.ef',
    'eyJhbGciOi.ab.cd.ef.gh',
    'AKIAIOSFODNN7EXAMPLE',
    'AKIA7ABCDEFG',
    'AIDAABCDEFG7',
    'ASIAIOSFODNNXEXAMPLE',
    'AROAABCDEFGHIJKLMNOP',
    'ABIA12345678',
    'ACCA12345678',
    aws,
    aws.toLowerCase().replace(/y$/, 'Y'),
    aws.toUpperCase().replace(/Y$/, 'y'),
    `${letters(38)}7Z`,
    `7Z${letters(38)}`,
    `Z${letters(38)}7`,
    `${'A'.repeat(38)}7z`,
    `z7${'A'.repeat(38)}`,
    `A+/${letters(36)}1`,
    ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-', 'glrt-', 'gldeplo-'].map(
      (start) => start + letters(16)
    ),
    'xoxb-12345678',
    'xoxp-12345_-8',
    'xapp-1-abcdef',
    ...['sk_', 'rk_', 'pk-', 'whsec_', 'sk_live_', 'sk-proj-'].map((start) => `${start}ab_cd-ef_123`),
    ...['npm_', 'pypi-', 'dop_v1_', 'hvs.', 'hvb.', 'hvr.', 'SG.'].map((start) => `${start}abcd.efgh-ij_lmnop`),
    `AIza${letters(28)}-_`,
    'ya29.abcdefgh-_',
    'GOCSPX-abcdefgh-_',
    'AccountKey=abcd+/%&.-efghij==',
    'SharedAccessKey=abcdefghijklmnop',
    'SharedAccessSignature=abcdefghijklmnop'
  ]
  t.strictSame(
    tokens.filter((token) => replaced(`"${token}", x`) !== '"<>", x'),
    []
  )
  const none = [
    'keyJhbGciOi.ab.cd',
    'eyJab.c.d',
    'eyJhbGciOi.ab',
    'AKIAABCDEFGH',
    'AKIA7ABCDEFx',
    'xAKIAIOSFODNN7EXAMPLE',
    'XAKIAIOSFODNN7EXAMPLE',
    'AKIA7ABCDEF',
    'AKIAABCDEFGHIJKLMNO',
    `x${aws}`,
    `${aws}x`,
    `${aws}=`,
    `/${aws}`,
    aws.toUpperCase(),
    aws.toLowerCase(),
    aws.replace('7', 'x'),
    aws.slice(1),
    `xghp_${letters(16)}`,
    `gha_${letters(16)}`,
    `ghp_${letters(15)}`,
    `xglpat-${letters(16)}`,
    `glpat-${letters(15)}`,
    `gl1-${letters(16)}`,
    `gl-${letters(16)}`,
    `glabcdef-${letters(16)}`,
    'axoxb-12345678',
    'xoxb-1234567',
    'xox1-12345678',
    'axapp-1-abcdef',
    'xapp-1-abcd',
    'ask_abcdefghijkl',
    'sk_abcdefghijk',
    'ak_abcdefghijkl',
    'skx_abcdefghijkl',
    `xnpm_${letters(16)}`,
    `npm_${letters(15)}`,
    `hva.${letters(16)}`,
    `SGx${letters(16)}`,
    `hvsx${letters(16)}`,
    `xAIza${letters(30)}`,
    `AIza${letters(29)}`,
    'xya29.abcdefghij',
    'ya29.abcdefghi',
    'ya29xabcdefghij',
    'xGOCSPX-abcdefghij',
    'GOCSPX-abcdefghi',
    'xAccountKey=abcdefghijklmnop',
    'AccountKey=abcdefghijklmno',
    'AccountKey:abcdefghijklmnop'
  ]
  t.strictSame(
    none.filter((text) => replaced(text) !== text),
    []
  )
})

void t.test('a long text of many letters and digits that make no words was drawn by lot', async (t) => {
  holds(
    t,
    looksRandom,
    wordsOf(`zk3jh4k5Qp34kj5h3mX8w a1b2c3d4e5f6g7h8 acme-zk3jh4k5Qp34kj5h3mX8w 1f0c2d3e111a4b69
      x1abcdefgh1abcdefgh x2026-01-31T09-q1q2 1234-12345x6789q0 acme123-abcdefghi v1x2-abcdefghijk
      31T9-abcdefghijkm 311T09-abcdefghijk`),
    wordsOf(`a1b2c3d4e5f6g7h 12.34.56.78.90.13.57
      2026-01-31T09:00:00.000Z 20260131T090000123Z 2026-0131T0900000x12 abcdefghijklmnopq
      1234567890123456 acme-payroll-2026-01-31 acme_payroll12+v1234 backup-2026-01-31T09-00-00
      aaaaaaaaaaaaaaa1 abcdefg1abcdefg1`)
  )
  const replaced = (text: string) => replaceRandom(text, () => '<>')
  t.equal(replaced('see zk3jh4k5Qp34kj5h3mX8w==, abcdefghijklmnopqrstu'), 'see <>, abcdefghijklmnopqrstu')
  t.equal(
    replaced('a zk3jh4k5Qp34kj5h3mX8, zk3jh4k5Qp34kj5h3mX'),
    'a <>, zk3jh4k5Qp34kj5h3mX',
    'of 20 characters or more'
  )
  t.equal(replaced('zk3jh4k5Qp+34kj5h3mX8w_3k-4='), '<>')
})
