import { migration } from './migration.ts';

/**
 * What the upkeep of the audit log does to its tables, as functions of their owner: the role that serves may call these,
 * and may neither change nor delete an event by any other way. Each checks for itself that what it is asked for is due.
 */
export const m0036DatabaseRoles = migration(
  '0036-database-roles',
  `
-- The partition of a month ('2031_12'), with what fell into the default partition meanwhile; false where it is there.
create function audit_make_partition(month text) returns boolean language plpgsql security definer
set lock_timeout = '200ms' as $$
declare
  partition text := 'audit_events_' || month;
  starts timestamptz;
  ends timestamptz;
begin
  if month !~ '^[0-9]{4}_(0[1-9]|1[0-2])$' then
    raise exception 'no month: %', month using errcode = '22023';
  end if;
  starts := make_timestamptz(left(month, 4)::integer, right(month, 2)::integer, 1, 0, 0, 0, 'UTC');
  ends := (starts at time zone 'UTC' + interval '1 month') at time zone 'UTC';
  perform pg_advisory_xact_lock(202374690);
  -- The catalogue as a table: what a function says of it may be older than the lock.
  if exists (select 1 from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_events'::regclass and c.relname = partition) then
    return false;
  end if;
  -- Attaching locks the default partition in any case; locked from the start, nothing slips into it meanwhile.
  lock table audit_events_default in access exclusive mode;
  execute format('create table %I (like audit_events including all)', partition);
  execute format('with moved as (delete from audit_events_default where created_at >= $1 and created_at < $2 returning *)
    insert into %I select * from moved', partition) using starts, ends;
  execute format('alter table audit_events attach partition %I for values from (%L) to (%L)', partition, starts, ends);
  return true;
end $$;

-- Drops a month's partition; false where it holds anything.
create function audit_drop_partition(partition text) returns boolean language plpgsql security definer
set lock_timeout = '200ms' as $$
declare
  is_used boolean;
begin
  if not exists (select 1 from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_events'::regclass and c.relname = partition and partition ~ '^audit_events_[0-9]{4}_[0-9]{2}$') then
    return false;
  end if;
  execute format('select exists (select 1 from %I)', partition) into is_used;
  if is_used then
    return false;
  end if;
  perform pg_advisory_xact_lock(202374690);
  lock table only audit_events in access exclusive mode;
  execute format('select exists (select 1 from %I)', partition) into is_used;
  if is_used then
    return false;
  end if;
  execute format('drop table %I', partition);
  return true;
end $$;

-- Days for which events are kept: of a project by its own rule, else by that of the organization; null is forever. The
-- instance's own log, of the nil organization, is kept for 90 days.
create function audit_retention_days(organization uuid, project uuid) returns integer language sql stable
return case
  when organization = '00000000-0000-0000-0000-000000000000' then 90
  when project is not null then (select nullif(p.audit_logs_retention_days, 0) from projects p where p.id = project and p.organization_id = organization)
  else (select nullif(o.audit_logs_retention_days, 0) from organizations o where o.id = organization)
end;

-- Removes at most so many sealed events of which the retention is over, by the rule of a project, or (null) by that of
-- the organization, which is for all events whose project has none of its own.
create function audit_expire(organization uuid, project uuid, before timestamptz, at_most integer,
  out events integer, out first timestamptz, out last timestamptz)
language plpgsql security definer as $$
declare
  days integer := audit_retention_days(organization, project);
  until timestamptz;
begin
  if days is null or days < 1 then
    raise exception 'these events are kept forever' using errcode = '22023';
  end if;
  until := least(before, clock_timestamp() - make_interval(days => days));
  with gone as (
    delete from audit_events where (id, created_at) in (
      select e.id, e.created_at from audit_events e
      where e.organization_id = organization and e.created_at < until
        and case when project is not null then e.project_id = project else not exists (
          select 1 from projects p where p.id = e.project_id and p.audit_logs_retention_days > 0) end
        and not exists (select 1 from audit_cursor c where c.epoch = e.epoch
          and (e.txid > c.next_txid or (e.txid = c.next_txid and e.id > c.after_id)))
      order by e.created_at limit at_most)
    and created_at < until
    returning created_at)
  select count(*)::integer, min(created_at), max(created_at) into events, first, last from gone;
end $$;

-- Blocks of which every event has gone need not remember which they were: their content's hash remains.
create function audit_forget_blocks(organization uuid, first bigint, last bigint) returns void
language sql security definer
begin atomic
  update audit_blocks b set event_ids = null, event_hashes = null
  where organization_id = organization and sequence between first and last and event_ids is not null
    and not exists (select 1 from audit_events e
      where e.id = any (b.event_ids) and e.created_at between b.first_event_at and b.last_event_at);
end;

-- A new epoch after a restore into another cluster, where transactions are counted anew; false where this is still the
-- cluster that the newest epoch is of. Rows written here since the restore bear the very transaction id that stored them.
create function audit_begin_epoch(since uuid) returns boolean language plpgsql security definer
set lock_timeout = '5s' as $$
declare
  newest audit_cursor;
  here text := (select system_identifier::text from pg_control_system());
begin
  select * into strict newest from audit_cursor order by epoch desc limit 1 for update;
  if newest.cluster = '' or (newest.cluster = here and pg_snapshot_xmin(pg_current_snapshot()) >= newest.next_txid) then
    return false;
  end if;
  execute format('alter table audit_events alter column epoch set default %s', newest.epoch + 1);
  update audit_events e set epoch = newest.epoch + 1
  where epoch = newest.epoch and id >= since and e.xmin::text::bigint = (txid::text::bigint & 4294967295)
    and not exists (select 1 from audit_blocks b where b.organization_id = e.organization_id and b.kind = 'events'
      and b.first_event_at <= e.created_at and b.last_event_at >= e.created_at and e.id = any (b.event_ids));
  insert into audit_cursor values (newest.epoch + 1, here, '0', '00000000-0000-0000-0000-000000000000', now());
  return true;
end $$;

-- What somebody did that belongs to no project, the newest first: the other half of what members see of the log.
create index audit_events_own on audit_events (organization_id, actor_id, created_at desc, id desc)
  where project_id is null and actor_id is not null;

-- Names in them mean the tables of this schema, whatever the caller's path; nobody calls them without a grant.
do $$
declare
  f regprocedure;
begin
  foreach f in array array['audit_make_partition(text)', 'audit_drop_partition(text)',
    'audit_expire(uuid, uuid, timestamptz, integer)', 'audit_forget_blocks(uuid, bigint, bigint)', 'audit_begin_epoch(uuid)']::regprocedure[]
  loop
    execute format('alter function %s set search_path = %I, pg_temp', f, current_schema());
    execute format('revoke all on function %s from public', f);
  end loop;
end $$;
`,
);
