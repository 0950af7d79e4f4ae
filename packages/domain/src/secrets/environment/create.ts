import { explainConstraint, fewIn, newId, type Transaction } from '../../kernel/index.ts';
import { createRootFolder } from '../folder/index.ts';
import { EnvironmentEntity } from './environment.entity.ts';

explainConstraint('environments_slug_unique', 'An environment with this slug already exists in the project');

/** Every list of projects has those of each project. */
export const requireFewEnvironments = fewIn('project', {
  table: 'environments',
  most: 1_000,
  code: 'environment.too_many',
  of: 'environments',
});

export interface NewEnvironment {
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly slug: string;
  readonly position: number;
}

/** A new environment with its root folder. @throws DomainError 400 `environment.too_many` */
export async function createEnvironmentRow(tx: Transaction, environment: NewEnvironment): Promise<EnvironmentEntity> {
  const row = tx.em.create(EnvironmentEntity, { id: newId(), ...environment });
  await tx.em.persist(row).flush();
  createRootFolder(tx, row);
  await tx.em.flush();
  await requireFewEnvironments(tx, row.projectId);
  return row;
}
