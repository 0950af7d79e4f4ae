export { within } from './deadline.ts';
export { asFailure, isUnsent } from './failure.ts';
export { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts';
export { ReceiveBuffer } from './receive-buffer.ts';
export { MAX_BYTES } from './response.ts';
export { redact } from './redact.ts';
export * from './unauthenticated-peer.ts';
export * from './targets.ts';
export { HANDSHAKE } from './tls.ts';
