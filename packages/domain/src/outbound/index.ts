export { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts';
