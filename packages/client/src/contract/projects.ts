// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { EnterableProject, ListProjects, ListedProjectRole, Project, ProjectType } from './shared.ts';

export type CreateProject = {
  projectName: string;
  projectDescription?: string;
  /** Unique in the organization. Default: derived from the name */ slug?: string;
  kmsKeyId?: string;
  /** The template that defines its first environments and roles (default: `'default'`) */ template?: string;
  /** Default: `'secret-manager'` */ type?: ProjectType;
  /** Default: `true` */ shouldCreateDefaultEnvs?: boolean;
  /** Default: `false` */ hasDeleteProtection?: boolean;
};

export type FoundProject = EnterableProject & {
  /** Seconds for which command lines may use values that they have read while the server is unreachable; 0: not at all */
  offlineCacheMaxAge: number;
  hasDeleteProtection: boolean;
  secretSharing: boolean;
  showSnapshotsLegacy: boolean;
  secretDetectionIgnoreValues: string[];
  isMember: boolean;
};

export type SearchProjects = {
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `100`) */ limit?: number;
  type?: ProjectType;
  /** A part of the name */ name?: string;
  /** Default: `'name'` */ orderBy?: 'name';
  /** Default: `'asc'` */ orderDirection?: 'asc' | 'desc';
};

export type UpdateProject = {
  name?: string;
  description?: string | null;
  /** Secret names are in capital letters only */ autoCapitalization?: boolean;
  hasDeleteProtection?: boolean;
  /** Changing the slug needs `workspace: edit`, because machines name projects by slug */ slug?: string;
  secretSharing?: boolean;
  showSnapshotsLegacy?: boolean;
  secretDetectionIgnoreValues?: string[];
  /** Number of versions of a secret that are kept */ pitVersionLimit?: number;
  /** Seconds, at most 30 days; 0 (the default): command lines keep no values */ offlineCacheMaxAge?: number;
  projectId: string;
};

export interface ProjectsApi {
  /**
   * Create a project.
   * `POST /api/v1/projects`. Needs `create` on `project` in the organization, or `create` on `workspace` in the organization.
   */
  create: Mutation<CreateProject, { project: Project }>;
  /** List the projects that the caller is a member of. `GET /api/v1/projects`. */
  list: Query<ListProjects, { projects: (Project & { roles?: ListedProjectRole[] })[] }>;
  /** Search projects by name. `POST /api/v1/workspace/search`. */
  search: Mutation<SearchProjects, { projects: FoundProject[]; totalCount: number }>;
  /** Read a project. `GET /api/v1/projects/{projectId}`. */
  get: Query<{ projectId: string }, { project: Project }>;
  /** Read a project by its slug. `GET /api/v1/projects/slug/{slug}`. */
  getBySlug: Query<{ slug: string }, Project>;
  /** Update a project. `PATCH /api/v1/projects/{projectId}`. Needs `edit` on `settings`. */
  update: Mutation<UpdateProject, { project: Project }>;
  /** Delete a project and all its data. `DELETE /api/v1/projects/{projectId}`. Needs `delete` on `workspace`. */
  delete: Mutation<{ projectId: string }, { project: Project }>;
}
