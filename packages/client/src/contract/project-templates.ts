// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ProjectRules, ProjectType, PublishedRule } from './shared.ts';

export type CreateProjectTemplate = {
  /** Unique in the organization */ name: string;
  description?: string | null;
  /** Default: `'secret-manager'` */ type?: ProjectType;
  /** Default: `[]` */ roles?: { name: string; slug: string; permissions: ProjectRules }[];
  /** Default: dev, staging and prod */
  environments?: { name: string; slug: string; /** Starts at 1 */ position: number }[];
  users?: unknown[];
  groups?: unknown[];
  identities?: unknown[];
};

export type ProjectTemplate = {
  /** UUID; for the built-in template its name */ id: string;
  name: string;
  description: string | null;
  /** The intended project type; a project gets the type with which it is created */ type: string;
  roles: { name: string; slug: string; permissions: PublishedRule[] }[];
  /** In order */ environments: { name: string; slug: string; /** Starts at 1 */ position: number }[];
  orgId: string;
  createdAt: string;
  updatedAt: string;
};

export type UpdateProjectTemplate = {
  /** Unique in the organization */ name?: string;
  description?: string | null;
  type?: ProjectType;
  roles?: { name: string; slug: string; permissions: ProjectRules }[];
  /** Default: dev, staging and prod */
  environments?: { name: string; slug: string; /** Starts at 1 */ position: number }[];
  users?: unknown[];
  groups?: unknown[];
  identities?: unknown[];
  templateId: string;
};

export interface ProjectTemplatesApi {
  /** List the project templates, built-in templates first. `GET /api/v1/project-templates`. Needs `read` on `project-templates`. */
  list: Query<{ type?: ProjectType }, { projectTemplates: ProjectTemplate[] }>;
  /** Create a project template. `POST /api/v1/project-templates`. Needs `create` on `project-templates`. */
  create: Mutation<CreateProjectTemplate, { projectTemplate: ProjectTemplate }>;
  /** Read a project template. `GET /api/v1/project-templates/{templateId}`. Needs `read` on `project-templates`. */
  get: Query<{ templateId: string }, { projectTemplate: ProjectTemplate }>;
  /**
   * Update a project template; existing projects stay unchanged.
   * `PATCH /api/v1/project-templates/{templateId}`. Needs `edit` on `project-templates`.
   */
  update: Mutation<UpdateProjectTemplate, { projectTemplate: ProjectTemplate }>;
  /**
   * Delete a project template; existing projects stay unchanged.
   * `DELETE /api/v1/project-templates/{templateId}`. Needs `delete` on `project-templates`.
   */
  delete: Mutation<{ templateId: string }, { projectTemplate: ProjectTemplate }>;
}
