export { mssqlCredentials } from './mssql-credentials.ts';
