import { newId, type Transaction } from '../../kernel/index.ts';
import { FolderEntity } from './folder.entity.ts';

/** The root folder of a new environment, which is part of it from the start to the end. */
export function createRootFolder(
  tx: Transaction,
  environment: { organizationId: string; projectId: string; id: string },
  rootId = newId(),
): FolderEntity {
  const { organizationId, projectId, id } = environment;
  const root = tx.em.create(FolderEntity, {
    id: rootId,
    organizationId,
    projectId,
    environmentId: id,
    parentId: null,
    name: 'root',
    path: '/',
  });
  tx.em.persist(root);
  return root;
}
