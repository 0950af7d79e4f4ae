import { mssql } from '../../../apps/mssql/index.ts';
import { defineSqlRotation } from '../../sql-rotation.ts';

export const mssqlCredentials = defineSqlRotation({
  type: 'mssql-credentials',
  title: 'Microsoft SQL Server Credentials',
  connector: mssql,
  dialect: 'mssql',
  statement: `alter login [{{username}}] with password = N'{{password}}'`,
  prefix: 'MSSQL',
});
