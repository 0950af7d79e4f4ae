import { mysql } from '../../../apps/mysql/index.ts';
import { defineSqlRotation } from '../../sql-rotation.ts';

export const mysqlCredentials = defineSqlRotation({
  type: 'mysql-credentials',
  title: 'MySQL Credentials',
  connector: mysql,
  dialect: 'mysql',
  statement: `alter user '{{username}}'@'%' identified by '{{password}}'`,
  prefix: 'MYSQL',
});
