import { migration } from './migration.ts';

/** Removing the oldest segments of the audit log, once they are exported. Runs after 0058-audit-segments. */
export const m0059AuditLimit = migration(
  '0059-audit-limit',
  `
-- When the last warning of its size was recorded.
alter table audit_volume add column warned_at timestamptz(3);

-- Removes the chain of an organization up to the end of a segment. Nothing before it may be left as rows.
create function audit_release(organization uuid, last bigint, proof bytea) returns bigint language plpgsql security definer as $$
declare
  released bigint;
begin
  if not audit_is_proven(convert_to(concat_ws(chr(10), 'coffer.audit.release.v1', organization, last), 'UTF8'), proof) then
    raise exception 'only Coffer itself removes segments of the audit log' using errcode = '42501';
  end if;
  perform pg_advisory_xact_lock(202374691);
  if not exists (select from audit_segments g where g.organization_id = organization and g.last_sequence = last)
    or exists (select from audit_blocks b where b.organization_id = organization and b.sequence <= last and b.kind = 'events') then
    raise exception 'not all up to % is in segments', last using errcode = '22023';
  end if;
  update audit_volume set segment_bytes = segment_bytes - (
    select sum(audit_segment_bytes(g.terms, g.content)) from audit_segments g
    where g.organization_id = organization and g.last_sequence <= last);
  with gone as (
    delete from audit_segments g where g.organization_id = organization and g.last_sequence <= last returning g.events)
  select sum(events) into released from gone;
  delete from audit_blocks b where b.organization_id = organization and b.sequence <= last;
  return released;
end $$;

do $$
begin
  execute format('alter function audit_release(uuid, bigint, bytea) set search_path = %I, pg_temp', current_schema());
  revoke all on function audit_release(uuid, bigint, bytea) from public;
end $$;
`,
);
