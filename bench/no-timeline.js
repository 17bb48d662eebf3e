// Loaded before the server by `node --import`: it then keeps no timeline. Only for measuring what that costs.
import { Timeline } from '../dist/sim/timeline.js'

Timeline.prototype.add = () => {}
