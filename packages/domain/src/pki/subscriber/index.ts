export { dueSubscribers, enqueueDueSubscribers, renewSubscriberJob } from './auto-renewal.ts';
export * from './certificates.ts';
export { issueForSubscriber, signForSubscriber } from './issue.ts';
export { orderForSubscriber } from './order.ts';
export * from './subscriber.service.ts';
export * from './subscriber.ts';
