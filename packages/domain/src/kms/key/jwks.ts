import { isId, mapInTurns, placeTags, statement, type Context } from '../../kernel/index.ts';
import type { KmsAlgorithmName } from '../algorithm/index.ts';
import { keyIdOfJwk, readSpki, toJwk } from './public-key.ts';
import { tagOfProject } from './tags.ts';

/** The newest versions of a key that are in the set. */
const VERSIONS = 10;

const OF_PROJECT = statement(
  'kms_key_versions.jwks',
  `select k.id, k.organization_id as "organizationId", k.algorithm, v.version, v.public_key as "publicKey"
   from kms_keys k join kms_key_versions v on v.kms_key_id = k.id and v.version > k.version - ${VERSIONS}
   where k.project_id = $1 and k.usage = 'sign-verify' and not k.is_disabled and k.deletion_at is null
   order by k.id, v.version desc`,
);

interface PublicRow {
  readonly id: string;
  readonly organizationId: string;
  readonly algorithm: KmsAlgorithmName;
  readonly version: number;
  readonly publicKey: Buffer;
}

/** What reading a public key costs, as of `WorkBudget`. */
const COST = 50;

const NONE = JSON.stringify({ keys: [] });

/**
 * The public keys with which signatures of a project are verified, as a JSON Web Key Set (RFC 7517): everybody may know
 * them. A project that nobody has has none.
 */
export async function getKmsJwks(ctx: Context, { projectId }: { projectId: string }): Promise<string> {
  if (!isId(projectId)) return NONE;
  const set = await ctx.signers.load(`kms-jwks:${projectId}`, ctx.now().getTime(), async () => {
    const rows = await ctx.sql<PublicRow>(OF_PROJECT, [projectId]);
    // Nothing is remembered of projects without keys, which anybody can invent.
    if (rows.length === 0) return undefined;
    const keys = await mapInTurns(rows, COST, ({ id, version, publicKey }) =>
      toJwk(readSpki(publicKey), keyIdOfJwk(id, version)),
    );
    const tags = [tagOfProject(projectId), ...placeTags({ ...rows[0]!, projectId })];
    return { value: JSON.stringify({ keys }), tags };
  });
  return (set as string | undefined) ?? NONE;
}
