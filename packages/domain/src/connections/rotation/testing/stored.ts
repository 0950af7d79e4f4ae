import type { Coffer } from '../../../app/coffer.ts';
import { inTransaction, newId } from '../../../kernel/index.ts';
import { folderAt } from '../../../secrets/folder/index.ts';
import { writeRotated } from '../../../secrets/secret/index.ts';
import { makeConnection } from '../../app-connection/testing/stored.ts';
import { rotations } from '../../registry.ts';
import { activate, intend, store } from '../credentials.ts';
import { SecretRotationEntity } from '../secret-rotation.entity.ts';
import { example } from '../types/postgres-credentials/examples.ts';
import { claimNow, rotationWork } from '../work.ts';

export interface MakeRotation {
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
  /** The root folder if absent. */
  readonly secretPath?: string;
  readonly secretsMapping?: { readonly username: string; readonly password: string };
  /** Whether it has written its secrets; true if absent. */
  readonly isRotated?: boolean;
}

/** A stored rotation of PostgreSQL logins in a folder of `dev`, with a credential and secrets: no system was asked. */
export async function makeRotation(
  coffer: Coffer,
  { organizationId, projectId, name, secretPath: path = '/', isRotated = true, ...given }: MakeRotation,
): Promise<{ id: string; name: string }> {
  const { parameters, connection: credentials } = example;
  const app = 'postgres';
  const connection = await makeConnection(coffer, { organizationId, projectId, app, name: `${name}-db`, credentials });
  const scope = { organizationId, projectId };
  const ctx = coffer.contextFor({ type: 'platform', organizationId });
  const rotation = rotations.require('postgres-credentials');
  const id = newId();
  return inTransaction(ctx, async (tx) => {
    const folder = await folderAt(tx, { projectId, environment: 'dev', path });
    const credential = { username: 'shop_a', password: `${name}-password` };
    const { secretsMapping = { username: `${name}-username`, password: `${name}-password` } } = given;
    tx.em.create(SecretRotationEntity, {
      ...{ id, ...scope, folderId: folder.id, connectionId: connection.id, type: rotation.type, name },
      ...{ parameters, secretsMapping, target: 'db.example.com:5432', accounts: [`${name}-a`, `${name}-b`] },
      ...{ isAutoRotationEnabled: false, rotationInterval: 30, rotateAt: 0 },
    });
    await tx.em.flush();
    if (!isRotated) return { id, name };
    const { claim } = (await claimNow(tx, { id, organizationId }))!;
    const pending = await intend(tx, { id, ...scope }, claim, { slot: 0, parameters, plan: credential });
    await store(tx, { id, ...scope }, claim, { ...pending, credential, isApplied: true });
    await activate(tx, id, pending);
    const values = new Map(
      Object.entries(secretsMapping).map(([field, key]) => [key, credential[field as 'password']]),
    );
    await writeRotated(tx, scope, { rotationId: id, folder }, values);
    await rotationWork.settle(tx, claim, { failures: 0, dueAt: null });
    return { id, name };
  });
}
