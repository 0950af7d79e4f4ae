import { migration } from './migration.ts';

/**
 * The bytes of sealed events, and of the segments of each organization: what segments and the limit of the log are measured
 * by. Runs after 0059-audit-limit.
 */
export const m0060AuditBytes = migration(
  '0060-audit-bytes',
  `
-- Of the lines of its events; unknown for blocks that an earlier release has sealed.
alter table audit_blocks add column bytes bigint;

-- Bytes of the segments of each organization: at the limit, whoever has most gives first.
create table audit_organization_volumes (
  organization_id uuid primary key,
  segment_bytes bigint not null
);
insert into audit_organization_volumes
select g.organization_id, sum(audit_segment_bytes(g.terms, g.content)) from audit_segments g group by 1;
create index audit_organization_volumes_bytes on audit_organization_volumes (segment_bytes);

create function audit_count_segment() returns trigger language plpgsql as $$
declare
  g audit_segments := case when tg_op = 'DELETE' then old else new end;
  bytes bigint := audit_segment_bytes(g.terms, g.content) * case when tg_op = 'DELETE' then -1 else 1 end;
begin
  insert into audit_organization_volumes as v values (g.organization_id, bytes)
  on conflict (organization_id) do update set segment_bytes = v.segment_bytes + excluded.segment_bytes;
  return null;
end $$;
create trigger audit_segments_counted after insert or delete on audit_segments
  for each row execute function audit_count_segment();

do $$
begin
  execute format('alter function audit_count_segment() set search_path = %I, pg_temp', current_schema());
  revoke all on function audit_count_segment() from public;
end $$;
`,
);
