import { migration } from './migration.ts';

/** Policies by which changes of secrets, and access to them, are asked for and approved. */
export const m0012ChangePolicies = migration(
  '0012-change-policies',
  `
-- For changes of secrets (kind change) and for access to them (access). Without a path, for the whole environment; a path
-- may be a glob. A deleted one stays for the requests that were made under it.
create table approval_policies (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  environment_id uuid not null references environments on delete cascade,
  kind text not null check (kind in ('change', 'access')),
  name text not null,
  secret_path text collate "C",
  approvals integer not null check (approvals > 0),
  enforcement_level text not null check (enforcement_level in ('hard', 'soft')),
  allowed_self_approvals boolean not null,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index approval_policies_project on approval_policies (project_id, kind, created_at, id);
create index approval_policies_environment on approval_policies (environment_id);

create table approval_policy_approvers (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  policy_id uuid not null references approval_policies on delete cascade,
  user_id uuid references users on delete cascade,
  group_id uuid references groups on delete cascade,
  created_at timestamptz(3) not null default now(),
  constraint approval_policy_approvers_one check (num_nonnulls(user_id, group_id) = 1),
  constraint approval_policy_approvers_unique unique nulls not distinct (policy_id, user_id, group_id)
);
create index approval_policy_approvers_user on approval_policy_approvers (user_id) where user_id is not null;
create index approval_policy_approvers_group on approval_policy_approvers (group_id) where group_id is not null;

-- An operation that waits for approvals: sealed, what it was called with. Each new content has a version, for which alone
-- reviews are given.
create table secret_approval_requests (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  environment_id uuid not null references environments on delete cascade,
  policy_id uuid not null references approval_policies on delete cascade,
  -- Every policy that covers something in it, that one first.
  policy_ids uuid[] not null,
  slug text not null,
  folder_id uuid not null,
  secret_path text collate "C" not null,
  status text not null default 'open' check (status in ('open', 'close')),
  has_merged boolean not null default false,
  operation text not null,
  input bytea not null,
  content_version integer not null default 1,
  conflicts jsonb,
  bypass_reason text,
  is_replicated boolean not null default false,
  -- What a replicated request is about: an open one of the same is replaced, so that there is one.
  replicates text,
  -- Null for a replicated one, and where the user is gone.
  committer_user_id uuid references users on delete set null,
  status_changed_by_user_id uuid references users on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint secret_approval_requests_merged check (not has_merged or status = 'close')
);
create index secret_approval_requests_project on secret_approval_requests (project_id, status, created_at desc, id desc);
create index secret_approval_requests_policy on secret_approval_requests (policy_id);
create index secret_approval_requests_environment on secret_approval_requests (environment_id);
create index secret_approval_requests_committer on secret_approval_requests (committer_user_id);
create unique index secret_approval_requests_replicates_unique on secret_approval_requests (project_id, replicates)
  where replicates is not null and status = 'open';

-- What a request would change, thing by thing, with the version that each was made against.
create table secret_approval_changes (
  id uuid primary key,
  organization_id uuid not null,
  project_id uuid not null,
  request_id uuid not null references secret_approval_requests on delete cascade,
  position integer not null,
  kind text not null check (kind in ('secret', 'folder', 'import')),
  op text not null check (op in ('create', 'update', 'delete')),
  -- Of what is there already: the secret, folder or import, and its version.
  thing_id uuid,
  base_version integer,
  -- Where it is, or is to be.
  environment text not null,
  path text collate "C" not null,
  name text,
  tag_ids uuid[] not null default '{}',
  -- Follows from another change, so that what refers to something that moves still does.
  is_following boolean not null default false,
  content bytea not null,
  constraint secret_approval_changes_position_unique unique (request_id, position)
);
create index secret_approval_changes_project on secret_approval_changes (project_id, id);

create table access_approval_requests (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  policy_id uuid not null references approval_policies on delete cascade,
  membership_id uuid not null references memberships on delete cascade,
  requested_by_user_id uuid not null references users on delete cascade,
  permissions jsonb not null,
  is_temporary boolean not null,
  temporary_range text,
  note text,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  privilege_id uuid references additional_privileges on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index access_approval_requests_project on access_approval_requests (project_id, created_at desc, id desc);
create index access_approval_requests_policy on access_approval_requests (policy_id);
create index access_approval_requests_membership on access_approval_requests (membership_id);
create index access_approval_requests_user on access_approval_requests (requested_by_user_id);
create index access_approval_requests_privilege on access_approval_requests (privilege_id) where privilege_id is not null;

-- The newest word of each reviewer. grounds are the rows by which it was an approver then (of approvers, memberships and
-- groups): an approval counts as long as they are there.
create table approval_reviews (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  change_request_id uuid references secret_approval_requests on delete cascade,
  access_request_id uuid references access_approval_requests on delete cascade,
  reviewer_user_id uuid not null references users on delete cascade,
  status text not null check (status in ('approved', 'rejected')),
  comment text,
  content_version integer not null,
  grounds uuid[] not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint approval_reviews_one check (num_nonnulls(change_request_id, access_request_id) = 1)
);
create unique index approval_reviews_change_unique on approval_reviews (change_request_id, reviewer_user_id) where change_request_id is not null;
create unique index approval_reviews_access_unique on approval_reviews (access_request_id, reviewer_user_id) where access_request_id is not null;
create index approval_reviews_user on approval_reviews (reviewer_user_id);
`,
);
