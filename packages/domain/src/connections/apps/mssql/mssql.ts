import { mssql as client } from '../../../apps/sql/index.ts';
import { defineSqlConnector } from '../../sql-database.ts';

export const mssql = defineSqlConnector('mssql', 'Microsoft SQL Server', 1433, client, [
  `alter login [{{username}}] with password = N'{{password}}' old_password = N'{{oldPassword}}'`,
]);
