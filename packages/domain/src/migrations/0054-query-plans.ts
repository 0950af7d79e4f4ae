import { migration } from './migration.ts';

/** Indexes for statements that read a whole table; `query-plans.test.ts` finds such statements. */
export const m0054QueryPlans = migration(
  '0054-query-plans',
  `
-- Of a whole organization too, not only those that are in no project.
create index memberships_organization_project on memberships (organization_id, project_id);
drop index memberships_organization;
create index approval_policies_organization on approval_policies (organization_id);
create index users_super_admins on users (id) where is_super_admin;
create index identities_name on identities (name, id);
-- For all subjects that begin with a text, and for those that are locked out.
create index lockouts_subject on lockouts (subject collate "C");
create index lockouts_locked_until on lockouts (locked_until) where locked_until is not null;
create index secret_imports_project on secret_imports (project_id);
-- In the order in which they are taken, ties included.
create index secrets_reminders_due on secrets (updated_at, id) where reminder_repeat_days is not null;
drop index secrets_reminders;

create index ca_certificates_key on ca_certificates (ca_key_id, not_after);
create index ca_certificates_serial_number on ca_certificates (project_id, serial_number);
create index ca_certificates_end on ca_certificates (not_after);
create index certificate_authorities_parent on certificate_authorities (parent_ca_id);
create index acme_authorizations_of_account on acme_authorizations (account_id, status);

-- As before. Whether the organization has somebody is looked up for each row, never for all memberships first.
create or replace view effective_memberships as
  select h.organization_id, h.project_id, h.actor_id, h.membership_id, h.group_id
  from (
    select m.organization_id, m.project_id, m.actor_id, m.id as membership_id, null::uuid as group_id
    from memberships m where m.actor_id is not null and m.status = 'accepted' and m.is_active
    union all
    select m.organization_id, m.project_id, g.actor_id, m.id, m.group_id
    from group_members g join memberships m on m.group_id = g.group_id where m.status = 'accepted' and m.is_active
  ) h
  where (
    select true from memberships o
    where o.actor_id = h.actor_id and o.organization_id = h.organization_id and o.project_id is null
      and o.status = 'accepted' and o.is_active limit 1
  );
`,
);
