export { webhookJob } from './deliver.ts';
export { forgottenWebhooks, gatherJob } from './forgotten.ts';
export { sendWebhooks } from './gather.ts';
export { signatureHeaders } from './message.ts';
export * from './webhook.ts';
export * from './webhook.service.ts';
