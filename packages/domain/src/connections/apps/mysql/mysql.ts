import { mysql as client } from '../../../apps/sql/index.ts';
import { defineSqlConnector } from '../../sql-database.ts';

export const mysql = defineSqlConnector('mysql', 'MySQL', 3306, client, [
  `alter user current_user() identified by '{{password}}'`,
  // MariaDB lets no other accounts use the first one than those that may create users.
  `set password = password('{{password}}')`,
]);
