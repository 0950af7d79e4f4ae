import { at, explainConstraint } from '../../kernel/index.ts';
import type { Project } from './project.ts';

explainConstraint('projects_slug_unique', 'A project with this slug already exists in the organization');

/** A stored project with its environments. */
export interface ProjectRow {
  id: string;
  organization_id: string;
  name: string;
  slug: string;
  type: string;
  description: string | null;
  auto_capitalization: boolean;
  has_delete_protection: boolean;
  pit_version_limit: number;
  audit_logs_retention_days: number | null;
  secret_sharing: boolean;
  show_snapshots_legacy: boolean;
  secret_detection_ignore_values: string[];
  created_at: string;
  updated_at: string;
  environments: { id: string; name: string; slug: string }[];
}

/** The columns of a `ProjectRow` from `projects p`. */
export const PROJECT_COLUMNS = `p.id, p.organization_id, p.name, p.slug, p.type, p.description, p.auto_capitalization, p.has_delete_protection,
  p.pit_version_limit, p.audit_logs_retention_days, p.secret_sharing, p.show_snapshots_legacy, p.secret_detection_ignore_values,
  p.created_at, p.updated_at, coalesce((select json_agg(json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) order by e.position, e.id)
    from environments e where e.project_id = p.id), '[]') as environments`;

/** Projects of earlier generations had their values sealed by clients; this is the generation in which the server does. */
const GENERATION = 3;

export const toProject = (row: ProjectRow): Project => ({
  id: row.id,
  _id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  type: row.type,
  orgId: row.organization_id,
  autoCapitalization: row.auto_capitalization,
  pitVersionLimit: row.pit_version_limit,
  hasDeleteProtection: row.has_delete_protection,
  auditLogsRetentionDays: row.audit_logs_retention_days,
  kmsCertificateKeyId: null,
  secretSharing: row.secret_sharing,
  showSnapshotsLegacy: row.show_snapshots_legacy,
  secretDetectionIgnoreValues: row.secret_detection_ignore_values,
  version: GENERATION,
  upgradeStatus: null,
  createdAt: at(row.created_at),
  updatedAt: at(row.updated_at),
  environments: row.environments,
});
