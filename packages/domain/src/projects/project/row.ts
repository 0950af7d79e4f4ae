import { at, explainConstraint } from '../../kernel/index.ts';
import type { Project } from './project.ts';

explainConstraint('projects_slug_unique', 'A project with this slug already exists in the organization');

/** A stored project with its environments. */
export interface ProjectRow {
  id: string;
  organizationId: string;
  name: string;
  slug: string;
  type: string;
  description: string | null;
  autoCapitalization: boolean;
  hasDeleteProtection: boolean;
  pitVersionLimit: number;
  offlineCacheMaxAge: number;
  auditLogsRetentionDays: number | null;
  secretSharing: boolean;
  showSnapshotsLegacy: boolean;
  secretDetectionIgnoreValues: string[];
  createdAt: string;
  updatedAt: string;
  environments: { id: string; name: string; slug: string }[];
}

/** The columns of a `ProjectRow` from `projects p`. */
export const PROJECT_COLUMNS = `p.id, p.organization_id as "organizationId", p.name, p.slug, p.type, p.description,
  p.auto_capitalization as "autoCapitalization", p.has_delete_protection as "hasDeleteProtection",
  p.pit_version_limit as "pitVersionLimit", p.offline_cache_max_age as "offlineCacheMaxAge", p.audit_logs_retention_days as "auditLogsRetentionDays",
  p.secret_sharing as "secretSharing", p.show_snapshots_legacy as "showSnapshotsLegacy",
  p.secret_detection_ignore_values as "secretDetectionIgnoreValues",
  p.created_at as "createdAt", p.updated_at as "updatedAt",
  coalesce((select json_agg(json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) order by e.position, e.id)
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
  orgId: row.organizationId,
  autoCapitalization: row.autoCapitalization,
  pitVersionLimit: row.pitVersionLimit,
  offlineCacheMaxAge: row.offlineCacheMaxAge,
  hasDeleteProtection: row.hasDeleteProtection,
  auditLogsRetentionDays: row.auditLogsRetentionDays,
  kmsCertificateKeyId: null,
  secretSharing: row.secretSharing,
  showSnapshotsLegacy: row.showSnapshotsLegacy,
  secretDetectionIgnoreValues: row.secretDetectionIgnoreValues,
  version: GENERATION,
  upgradeStatus: null,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
  environments: row.environments,
});
