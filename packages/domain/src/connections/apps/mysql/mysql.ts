import { mysql as client } from '../../../apps/sql/index.ts';
import { defineSqlConnector } from '../../sql-database.ts';

export const mysql = defineSqlConnector('mysql', 'MySQL', 3306, client);
