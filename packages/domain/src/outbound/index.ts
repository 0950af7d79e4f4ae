export { within } from './deadline.ts';
export { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts';
export { withoutSecrets } from './said.ts';
export * from './stranger.ts';
export * from './targets.ts';
