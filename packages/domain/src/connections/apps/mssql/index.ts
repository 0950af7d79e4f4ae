export { mssql } from './mssql.ts';
