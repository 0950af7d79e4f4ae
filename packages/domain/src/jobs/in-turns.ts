interface DueRows {
  readonly table: string;
  /** SQL: which rows `t` are due. */
  readonly isDue: string;
  /** SQL: the order within a project. */
  readonly order: string;
  /** SQL: further columns, each with its own name. */
  readonly columns?: readonly string[];
  readonly most: number;
}

/**
 * SQL: so many of the due rows, with their ID and organization: the first ones of each organization, and in these of each
 * project. What others have due, which may fail again and again, does not keep anybody's out.
 */
export const firstInTurns = ({ table, isDue, order, columns = [], most }: DueRows): string =>
  `select ${['o.id', 'o."organizationId"', ...columns.map((column) => `o.${column}`)].join(', ')} from (
     select p.*, row_number() over (partition by p."organizationId" order by p.turn, p.place) as turn_of_organization
     from (
       select ${['t.id', 't.organization_id as "organizationId"', ...columns.map((column) => `t.${column}`)].join(', ')},
         row_number() over (order by ${order}) as place, row_number() over (partition by t.project_id order by ${order}) as turn
       from ${table} t where ${isDue}) p) o
   order by o.turn_of_organization, random() limit ${most}`;
