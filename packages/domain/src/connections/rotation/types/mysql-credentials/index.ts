export { mysqlCredentials } from './mysql-credentials.ts';
