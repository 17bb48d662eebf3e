import { Type } from '@sinclair/typebox'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { TextResult } from '../../interface/envelope.js'
import { fieldNotAllowed, found, notFound } from '../../interface/errors.js'
import { MESSAGES } from '../../interface/messages.js'
import { ref } from '../../interface/schemas.js'
import { canonicalBlock, contains } from '../../lib/ip.js'
import {
  type AllowedIpRecord,
  AllowedIPSchema,
  CurrentIPSchema,
  newAllowedIp,
  toAllowedIpView
} from '../../resources/allow-list/fields.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { NEW_ID } from '../../resources/demo-rows.js'
import { changedExtra } from '../../resources/extra.js'
import type { SandboxStores } from '../../resources/tx.js'
import { operationsIn } from '../operation.js'
import { ofWorkgroup, parameter } from './parameters.js'

const common = { tag: 'Allow list', declaresErrors: true, errorResult: true, params: ofWorkgroup() }
const commonOfOne = { ...common, params: { ...common.params, id: parameter('Id of the entry.', 'office') } }
const path = '/workgroups/:workgroupID/allow_list'

/** Operations 6 to 12. */
export const allowListRoutes: FastifyPluginCallback<{
  plane: ControlPlane
  addressOf: (request: FastifyRequest) => string
}> = (app, { plane, addressOf }, done) => {
  const { addRead, addChange } = operationsIn(app, plane)
  const { fields } = plane.profile

  addChange(
    'post',
    path,
    {
      ...common,
      operationId: 'addAllowedIP',
      summary: 'Add an allowed IP',
      refuses: ['notAllowed'],
      body: AllowedIPSchema,
      result: ref(AllowedIPSchema),
      example: {
        body: { cidr: '198.51.100.7', note: 'VPN' },
        result: { cidr: '198.51.100.7/32', note: 'VPN', id: NEW_ID }
      }
    },
    (tx, { body, params }) => {
      const { id: workgroup } = tx.findWorkgroup(params)
      const extra = fields.taken('allowed_ip', 'AllowedIP', body)
      const entry = newAllowedIp(tx, { workgroup, cidr: canonical(body.cidr), note: body.note, extra })
      refuseDuplicate(tx, entry)
      tx.resources.take()
      tx.allowList.insert(entry)
      return toAllowedIpView(entry, plane.view)
    }
  )

  addRead(
    path,
    {
      ...common,
      operationId: 'listAllowedIPs',
      summary: 'List the allowed IPs',
      result: Type.Array(ref(AllowedIPSchema)),
      example: { result: [{ cidr: '203.0.113.0/24', note: 'Office', id: 'office' }] }
    },
    (stores, { params }) =>
      stores.allowList.list(stores.findWorkgroup(params).id).map((entry) => toAllowedIpView(entry, plane.view))
  )

  addRead(
    `${path}/current`,
    {
      ...common,
      operationId: 'getCurrentIP',
      summary: "Read the caller's IP and whether it is allowed",
      result: CurrentIPSchema,
      example: { result: { IsAllowed: false, CurrentIP: '127.0.0.1' } }
    },
    (stores, request) => {
      const { id, enableAllowList } = stores.findWorkgroup(request.params)
      const CurrentIP = addressOf(request)
      const IsAllowed = !enableAllowList || stores.allowList.list(id).some(({ cidr }) => contains(cidr, CurrentIP))
      return { IsAllowed, CurrentIP }
    }
  )

  for (const [verb, enabled] of [
    ['disable', false],
    ['enable', true]
  ] as const) {
    const operationId = `${verb}AllowList` as const
    addChange(
      'put',
      `${path}/${verb}`,
      {
        ...common,
        operationId,
        summary: `${enabled ? 'Enable' : 'Disable'} the allow list`,
        result: TextResult,
        example: { result: MESSAGES[operationId] }
      },
      (tx, { params }) => tx.workgroups.save({ ...tx.findWorkgroup(params), enableAllowList: enabled })
    )
  }

  addChange(
    'put',
    `${path}/:id`,
    {
      ...commonOfOne,
      operationId: 'updateAllowedIP',
      summary: 'Change an allowed IP',
      refuses: ['notAllowed'],
      body: AllowedIPSchema,
      result: ref(AllowedIPSchema),
      example: {
        body: { cidr: '203.0.113.0/25' },
        result: { cidr: '203.0.113.0/25', note: 'Office', id: 'office' }
      }
    },
    (tx, { body, params }) => {
      const { id: workgroup } = tx.findWorkgroup(params)
      const entry = found(tx.allowList.find(workgroup, params.id), 'allowed IP', params.id)
      const extra = changedExtra(entry, fields.taken('allowed_ip', 'AllowedIP', body))
      const changed = { ...entry, cidr: canonical(body.cidr), note: body.note ?? entry.note, extra }
      refuseDuplicate(tx, changed)
      tx.allowList.save(changed)
      return toAllowedIpView(changed, plane.view)
    }
  )

  addChange(
    'delete',
    `${path}/:id`,
    {
      ...commonOfOne,
      operationId: 'deleteAllowedIP',
      summary: 'Delete an allowed IP',
      result: TextResult,
      example: { result: MESSAGES.deleteAllowedIP }
    },
    (tx, { params }) => {
      const { id: workgroup } = tx.findWorkgroup(params)
      if (tx.allowList.remove(workgroup, params.id) === 0) throw notFound('allowed IP', params.id)
    }
  )

  function refuseDuplicate(stores: SandboxStores, { workgroup, id, cidr }: AllowedIpRecord): void {
    const duplicate = stores.allowList.findBlock(workgroup, cidr)
    if (duplicate !== undefined && duplicate.id !== id)
      throw fieldNotAllowed('cidr', `${cidr} is already on the allow list, as ${duplicate.id}`)
  }

  done()
}

/** The schema has checked that the text is a block. */
const canonical = (cidr: string) => canonicalBlock(cidr)!
