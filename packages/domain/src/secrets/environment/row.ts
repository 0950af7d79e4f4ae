import type { EnvironmentEntity } from './environment.entity.ts';
import type { Environment } from './environment.ts';

/** A published environment; `placedAt` if the row does not have its new position yet. */
export const toEnvironment = (
  { id, name, slug, position, projectId, createdAt, updatedAt }: EnvironmentEntity,
  placedAt = position,
): Environment => ({
  id,
  name,
  slug,
  position: placedAt,
  projectId,
  createdAt,
  updatedAt,
});
