import { viewer } from '../field-table.js'
import { ALLOWED_IPS } from './fields.js'

/** An entry of an allow list as the interface shows it. */
export const toAllowedIpView = viewer(ALLOWED_IPS.fields, {})
