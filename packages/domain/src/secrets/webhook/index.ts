export { webhookJob } from './deliver.ts';
export { orphanedWebhooks, collectJob } from './orphaned.ts';
export { sendWebhooks } from './collect.ts';
export { signatureHeaders } from './message.ts';
export { notifyOfFailedRotation } from './rotation-failed.ts';
export * from './webhook.ts';
export * from './webhook.service.ts';
