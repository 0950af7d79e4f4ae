import type { EnvironmentEntity } from './environment.entity.ts';
import type { Environment } from './environment.ts';

/** An environment as it is answered; `placedAt` where the row does not know its position yet. */
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
