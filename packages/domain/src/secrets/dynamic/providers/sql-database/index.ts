export { sqlDatabase } from './sql-database.ts';
