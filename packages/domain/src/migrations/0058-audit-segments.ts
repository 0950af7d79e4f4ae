import { migration } from './migration.ts';

/**
 * Sealed events in compressed segments, and the functions of the owner that store and remove them. The database cannot
 * decompress them, so these functions take a proof that the caller is Coffer, not only somebody with its connection:
 * an HMAC under a key that the serving role cannot read (docs/decisions/0032-audit-segments.md).
 */
export const m0058AuditSegments = migration(
  '0058-audit-segments',
  `
-- A range of an organization's chain: the lines of its blocks of events and of their events as they are exported,
-- compressed with zstd. Expiry blocks stay in audit_blocks.
create table audit_segments (
  organization_id uuid not null,
  first_sequence bigint not null,
  last_sequence bigint not null,
  -- Events that it still has, and the time of the oldest of them.
  events integer not null,
  oldest_event_at timestamptz(3),
  -- Of its blocks, with events that have expired.
  first_event_at timestamptz(3) not null,
  last_event_at timestamptz(3) not null,
  -- No event of this or a later segment is older, and none of an earlier segment is newer.
  later_from timestamptz(3) not null,
  earlier_until timestamptz(3) not null,
  -- The projects of its events; the nil id for events of no project.
  project_ids uuid[] not null,
  -- A Bloom filter of what events are filtered by (audit/archive/terms.ts).
  terms bytea not null,
  content bytea not null,
  primary key (organization_id, first_sequence),
  check (first_sequence <= last_sequence)
);
alter table audit_segments alter column content set storage external;
alter table audit_segments alter column terms set storage external;
create index audit_segments_time on audit_segments (organization_id, later_from, first_sequence);

-- Bytes of all segments.
create table audit_volume (
  one boolean primary key default true check (one),
  segment_bytes bigint not null default 0
);
insert into audit_volume default values;

-- The two keys that HMAC-SHA-256 makes of one; only the owner and its functions read them.
create table audit_archive_key (
  one boolean primary key default true check (one),
  inner_key bytea not null check (length(inner_key) = 64),
  outer_key bytea not null check (length(outer_key) = 64)
);
revoke all on audit_archive_key from public;

create function audit_is_proven(message bytea, proof bytea) returns boolean language sql stable security definer
begin atomic
  select exists (select from audit_archive_key k where sha256(k.outer_key || sha256(k.inner_key || message)) = proof);
end;

create function audit_segment_bytes(terms bytea, content bytea) returns bigint language sql immutable
return 300 + length(terms) + length(content);

-- Stores a segment in place of what the range had: rows of events and of their blocks, and smaller segments. Refused
-- unless it has as many events as were there; fewer only by retention, whose rule must be in force.
create function audit_store_segment(organization uuid, first bigint, last bigint, summary text, filter bytea, packed bytea, proof bytea)
returns integer language plpgsql security definer set plan_cache_mode = 'force_custom_plan' as $$
declare
  s jsonb := summary::jsonb;
  starts timestamptz := (s ->> 'firstEventAt')::timestamptz;
  ends timestamptz := (s ->> 'lastEventAt')::timestamptz;
  ids uuid[];
  oldest timestamptz;
  newest timestamptz;
  had bigint;
  covered bigint;
  in_blocks bigint;
  removed integer;
  lost bigint;
begin
  if not audit_is_proven(convert_to(concat_ws(chr(10), 'coffer.audit.segment.v1', organization, first, last, summary, ''), 'UTF8')
    || sha256(filter) || sha256(packed), proof) then
    raise exception 'only Coffer itself stores segments of the audit log' using errcode = '42501';
  end if;
  perform pg_advisory_xact_lock(202374691);
  if last >= (select b.sequence from audit_blocks b where b.organization_id = organization order by b.sequence desc limit 1) is not false then
    raise exception 'the newest block stays where it is' using errcode = '22023';
  end if;
  if exists (select from audit_segments g where g.organization_id = organization and g.first_sequence <= last and g.last_sequence >= first
    and (g.first_sequence < first or g.last_sequence > last)) then
    raise exception 'segments do not overlap' using errcode = '22023';
  end if;
  select coalesce(sum(g.events), 0), coalesce(sum(g.last_sequence - g.first_sequence + 1), 0) into had, covered
  from audit_segments g where g.organization_id = organization and g.first_sequence between first and last;
  select count(*), min(b.first_event_at), max(b.last_event_at) into in_blocks, oldest, newest
  from audit_blocks b where b.organization_id = organization and b.sequence between first and last and not exists (
    select from audit_segments g where g.organization_id = organization and g.first_sequence between first and last
      and b.sequence between g.first_sequence and g.last_sequence);
  if covered + in_blocks <> last - first + 1 then
    raise exception 'not every block from % to % is there', first, last using errcode = '22023';
  end if;
  ids := array(select unnest(b.event_ids) from audit_blocks b
    where b.organization_id = organization and b.sequence between first and last and b.kind = 'events');
  delete from audit_events e where e.id = any (ids) and e.created_at between oldest and newest and e.organization_id = organization;
  get diagnostics removed = row_count;
  lost := had + removed - (s ->> 'events')::bigint;
  if lost <> 0 and (lost < 0 or s ->> 'expiredBefore' is null
    or coalesce(audit_retention_days(organization, (s ->> 'expiredOf')::uuid), 0) < 1
    or (s ->> 'expiredBefore')::timestamptz > clock_timestamp() - make_interval(days => audit_retention_days(organization, (s ->> 'expiredOf')::uuid))) then
    raise exception 'the segment has % events fewer than its range', lost using errcode = '22023';
  end if;
  update audit_volume set segment_bytes = segment_bytes + audit_segment_bytes(filter, packed) - coalesce((
    select sum(audit_segment_bytes(g.terms, g.content)) from audit_segments g
    where g.organization_id = organization and g.first_sequence between first and last), 0);
  delete from audit_blocks b where b.organization_id = organization and b.sequence between first and last and b.kind = 'events';
  delete from audit_segments g where g.organization_id = organization and g.first_sequence between first and last;
  insert into audit_segments (organization_id, first_sequence, last_sequence, events, oldest_event_at, first_event_at, last_event_at,
    later_from, earlier_until, project_ids, terms, content)
  values (organization, first, last, (s ->> 'events')::integer, (s ->> 'oldestEventAt')::timestamptz, starts, ends,
    least(starts, (select g.later_from from audit_segments g where g.organization_id = organization and g.first_sequence > last
      order by g.first_sequence limit 1)),
    coalesce((select greatest(g.earlier_until, g.last_event_at) from audit_segments g where g.organization_id = organization and g.first_sequence < first
      order by g.first_sequence desc limit 1), '-infinity'),
    array(select jsonb_array_elements_text(s -> 'projectIds')::uuid), filter, packed);
  update audit_segments g set later_from = starts
  where g.organization_id = organization and g.first_sequence < first and g.later_from > starts;
  update audit_segments g set earlier_until = ends
  where g.organization_id = organization and g.first_sequence > last and g.earlier_until < ends;
  return removed;
end $$;

-- Names in them mean the tables of this schema, whatever the caller's path; nobody calls them without a grant.
do $$
declare
  f regprocedure;
begin
  foreach f in array array['audit_is_proven(bytea, bytea)',
    'audit_store_segment(uuid, bigint, bigint, text, bytea, bytea, bytea)']::regprocedure[]
  loop
    execute format('alter function %s set search_path = %I, pg_temp', f, current_schema());
    execute format('revoke all on function %s from public', f);
  end loop;
end $$;
`,
);
