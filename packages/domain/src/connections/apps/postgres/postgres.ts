import { postgres as client } from '../../../apps/sql/index.ts';
import { defineSqlConnector } from '../../sql-database.ts';

export const postgres = defineSqlConnector('postgres', 'PostgreSQL', 5432, client, [
  `alter role current_user with password '{{password}}'`,
]);
