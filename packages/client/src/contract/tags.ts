// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type CreateTag = { projectId: string; /** Unique in the project */ slug: string; color: string };

export type Tag = {
  id: string;
  slug: string;
  color: string | null;
  createdAt: string;
  updatedAt: string;
  createdBy: string | null;
  createdByActorType: string | null;
  projectId: string;
};

export type UpdateTag = { projectId: string; tagId: string; /** Unique in the project */ slug?: string; color?: string };

export interface TagsApi {
  /** List the tags of a project. `GET /api/v1/projects/{projectId}/tags`. Needs `read` on `tags`. */
  list: Query<{ projectId: string }, { workspaceTags: (Tag & { name: string })[] }>;
  /** Create a tag. `POST /api/v1/projects/{projectId}/tags`. Needs `create` on `tags`. */
  create: Mutation<CreateTag, { workspaceTag: Tag; tag: Tag }>;
  /** Create a tag. `POST /api/v1/workspace/{projectId}/tags`. Needs `create` on `tags`. */
  createV1: Mutation<CreateTag, { workspaceTag: Tag }>;
  /** Read a tag. `GET /api/v1/projects/{projectId}/tags/{tagId}`. Needs `read` on `tags`. */
  get: Query<{ projectId: string; tagId: string }, { workspaceTag: Tag & { name: string } }>;
  /** Read a tag by its slug. `GET /api/v1/projects/{projectId}/tags/slug/{tagSlug}`. Needs `read` on `tags`. */
  getBySlug: Query<{ projectId: string; tagSlug: string }, { workspaceTag: Tag & { name: string } }>;
  /** Update a tag. `PATCH /api/v1/projects/{projectId}/tags/{tagId}`. Needs `edit` on `tags`. */
  update: Mutation<UpdateTag, { workspaceTag: Tag }>;
  /** Delete a tag and remove it from all secrets. `DELETE /api/v1/projects/{projectId}/tags/{tagId}`. Needs `delete` on `tags`. */
  delete: Mutation<{ projectId: string; tagId: string }, { workspaceTag: Tag }>;
}
