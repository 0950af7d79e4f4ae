import { addMember } from '../../access/membership/index.ts';
import { createDataKey } from '../../crypto/index.ts';
import { newId, type Transaction } from '../../kernel/index.ts';
import { createEnvironmentRow } from '../environment/index.ts';
import { ProjectEntity } from './project.entity.ts';

const DEFAULT_ENVIRONMENTS = [
  { name: 'Development', slug: 'dev' },
  { name: 'Staging', slug: 'staging' },
  { name: 'Production', slug: 'prod' },
];

export interface NewProject {
  readonly organizationId: string;
  readonly name: string;
  readonly slug: string;
  readonly type: string;
  readonly description: string | null;
  readonly hasDeleteProtection: boolean;
  readonly withEnvironments: boolean;
}

/** A new project with its data key and environments; whoever makes it is its administrator at once. */
export async function createProjectRow(tx: Transaction, project: NewProject): Promise<ProjectEntity> {
  const { withEnvironments, ...columns } = project;
  const row = tx.em.create(ProjectEntity, { id: newId(), ...columns });
  await tx.em.persist(row).flush();
  await createDataKey(tx, project.organizationId, row.id);
  if (withEnvironments) {
    for (const [index, environment] of DEFAULT_ENVIRONMENTS.entries()) {
      await createEnvironmentRow(tx, {
        ...environment,
        position: index + 1,
        organizationId: project.organizationId,
        projectId: row.id,
      });
    }
  }
  const { actor } = tx;
  if (actor.type === 'user' || actor.type === 'identity') {
    await addMember(tx, {
      organizationId: project.organizationId,
      projectId: row.id,
      ...(actor.type === 'user' ? { userId: actor.id } : { identityId: actor.id }),
      roles: [{ role: 'admin', isTemporary: false }],
    });
  }
  return row;
}
