import { migration } from './migration.ts';

/** Change policies apply to machine identities and service tokens; all policies that cover something apply together. */
export const m0022PoliciesForMachines = migration(
  '0022-policies-for-machines',
  `
-- Whether a change policy lets all machine identities and service tokens write without approvals.
alter table approval_policies add column exempt_machines boolean not null default false;

-- Machine identities that write without the approvals of one change policy.
create table approval_policy_exemptions (
  organization_id uuid not null references organizations on delete cascade,
  policy_id uuid not null references approval_policies on delete cascade,
  identity_id uuid not null references identities on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (policy_id, identity_id)
);
create index approval_policy_exemptions_identity on approval_policy_exemptions (identity_id);

-- The machine identity or service token that made a request, with its name of that time. It may be gone.
alter table secret_approval_requests add column committer_machine_type text,
  add column committer_machine_id uuid,
  add column committer_machine_name text,
  add constraint secret_approval_requests_machine check (
    num_nonnulls(committer_machine_type, committer_machine_id, committer_machine_name) in (0, 3));

-- Who has given an identity a way to log in: a login method, a client secret, a token. An issuer is a user or an identity.
create table identity_credential_issuers (
  organization_id uuid not null references organizations on delete cascade,
  identity_id uuid not null references identities on delete cascade,
  issuer_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (identity_id, issuer_id)
);
`,
);
