/** The SQL of the organizations that have rows in a table, as rows `o (id)`: one look into its index for each. */
export const organizationsIn = (table: 'audit_blocks'): string => `(
     with recursive o (id) as (
       (select organization_id from ${table} order by organization_id limit 1)
       union all
       select (select t.organization_id from ${table} t where t.organization_id > o.id order by t.organization_id limit 1)
       from o where o.id is not null)
     select id from o where id is not null) o`;
