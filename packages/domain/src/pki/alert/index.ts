export { createAlert, deleteAlert, getAlert, listAlerts, updateAlert } from './alert.service.ts';
export * from './alert.ts';
export * from './channel.ts';
export { alertDelivery, orphanedDeliveries } from './deliver.ts';
export { evaluateAlert, evaluateAlerts } from './evaluate.ts';
export * from './legacy.ts';
