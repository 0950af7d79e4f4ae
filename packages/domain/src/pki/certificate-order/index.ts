export * from './certificate-order.ts';
export { cancelOrderAsCaller } from './cancel.ts';
export { finishOrders, isUnfinished, unfinishedOrders } from './end.ts';
export { placeOrder, withNamedHost, type ToOrder } from './place.ts';
export { dueExternalCertificates, renewAnyCertificate, renewExternalCertificateJob } from './renew.ts';
export { revokeAnyCertificate } from './revoke.ts';
export { orphanedOrders, runOrder } from './run.ts';
