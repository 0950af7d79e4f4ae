import { migration } from './migration.ts';

/** What new projects of an organization can start with. */
export const m0006ProjectTemplates = migration(
  '0006-project-templates',
  `
create table project_templates (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null,
  description text,
  type text not null,
  -- [{name, slug, permissions}] and, in their order, [{name, slug, position}]
  roles jsonb not null,
  environments jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint project_templates_name_unique unique (organization_id, name)
);
`,
);
