import {
  ImportedSecrets,
  isProposed,
  mapInTurns,
  schemaNamed,
  Secret,
  SecretApproval,
  type Proposed,
  type SecretList,
} from '@coffer/domain';
import { z } from 'zod';

/** The published form of a secret: its ID under both of its names, and its project as `workspace`. */
export const PublishedSecret = schemaNamed(
  'PublishedSecret',
  Secret.omit({ projectId: true, folderId: true }).extend({
    _id: z.string().describe('The same as `id`'),
    workspace: z.string().describe('The ID of the project'),
  }),
);

export const published = (secret: Secret) => ({ ...secret, _id: secret.id, workspace: secret.projectId });

export const OneSecret = z.object({ secret: PublishedSecret });
export const ManySecrets = z.object({ secrets: z.array(PublishedSecret) });
export const one = (secret: Secret) => ({ secret: published(secret) });
export const many = (secrets: readonly Secret[]) => ({ secrets: secrets.map(published) });

/** The imports of a folder in responses only about them; together with its own secrets, */
export const ImportsAlone = z.array(ImportedSecrets.extend({ secrets: z.array(PublishedSecret) }));
/** environments are named by their slugs. */
const Imported = z.array(ImportsAlone.element.omit({ environmentInfo: true }));
export const SecretsAndImports = z.object({
  secrets: z.array(PublishedSecret),
  imports: Imported.optional().describe('Only on request; in the order of the imports, the last one wins'),
});
/** A list may be long. */
const PUBLISHING_COST = 5;
const manyInTurns = async (secrets: readonly Secret[]) => ({
  secrets: await mapInTurns(secrets, PUBLISHING_COST, published),
});
export async function withImports({ secrets, imports }: SecretList) {
  const shown: (Omit<ImportedSecrets, 'secrets'> & Awaited<ReturnType<typeof manyInTurns>>)[] = [];
  for (const imported of imports ?? []) shown.push({ ...imported, ...(await manyInTurns(imported.secrets)) });
  return { ...(await manyInTurns(secrets)), ...(imports && { imports: shown }) };
}

/** The response to a move; for a request, nothing has moved. */
export const Moved = z.object({
  isSourceUpdated: z.boolean(),
  isDestinationUpdated: z.boolean(),
  approval: SecretApproval.optional().describe('If a change policy covers the source or the destination'),
});
export const moved = (answer: { isSourceUpdated: boolean; isDestinationUpdated: boolean } | Proposed) =>
  isProposed(answer) ? { isSourceUpdated: false, isDestinationUpdated: false, ...answer } : answer;
