export { createAlert, deleteAlert, getAlert, listAlerts, updateAlert } from './alert.service.ts';
export * from './alert.ts';
export * from './channel.ts';
export { alertDelivery } from './deliver.ts';
export { lookForAlert, lookForAlerts } from './look.ts';
export * from './older.ts';
