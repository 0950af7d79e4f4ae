/** SQL: looked up for each row of what is before, however many PostgreSQL expects: otherwise it may read those of all organizations. */
export const rowsOf = (table: string, condition: string): string =>
  `select * from ${table} g where g.${condition} offset 0`;
