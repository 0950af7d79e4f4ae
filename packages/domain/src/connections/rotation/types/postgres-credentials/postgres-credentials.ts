import { postgres } from '../../../apps/postgres/index.ts';
import { defineSqlRotation } from '../../sql-rotation.ts';

export const postgresCredentials = defineSqlRotation({
  type: 'postgres-credentials',
  title: 'PostgreSQL Credentials',
  connector: postgres,
  dialect: 'postgres',
  statement: `alter role "{{username}}" with password '{{password}}'`,
  prefix: 'POSTGRES',
});
