export * from './app-connection.ts';
export { createAppConnection, deleteAppConnection, updateAppConnection } from './app-connection.service.ts';
export { checkAppConnection } from './check-now.ts';
export { credentialsOf as connectionCredentials, requireConnection, type ConnectionRow } from './find.ts';
export {
  appConnectionOptions,
  unavailableMethods,
  availableAppConnections,
  getAppConnection,
  getAppConnectionByName,
  getAppConnectionUsage,
  listAppConnections,
} from './read.ts';
export { listAtApp } from './list.ts';
export { connectionCheckMail } from './check-mail.ts';
export { checkConnection, overdueChecks } from './scheduled-check.ts';
export { connectionById, connectTo, holdConnection, requireUsable, type UsedByProject } from './use.ts';
