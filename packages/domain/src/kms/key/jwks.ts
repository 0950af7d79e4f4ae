import { etagOf, isId, mapInTurns, placeTags, statement, type Context } from '../../kernel/index.ts';
import { keyIdOfJwk, readSpki, toJwk } from './public-key.ts';
import { tagOfProject } from './tags.ts';

/** The newest versions of a key that are in the set, and the most public keys in one set. */
const [VERSIONS, MOST] = [10, 1_000];

/** The newest versions of all keys come first, those of the keys that were made last before others. */
const OF_PROJECT = statement(
  'kms_key_versions.jwks',
  `select k.id, k.organization_id as "organizationId", v.version, v.public_key as "publicKey"
   from kms_keys k join kms_key_versions v on v.kms_key_id = k.id and v.version > k.version - ${VERSIONS}
   where k.project_id = $1 and k.usage = 'sign-verify' and not k.is_disabled and k.deletion_at is null
   order by k.version - v.version, k.created_at desc, k.id limit ${MOST}`,
);

interface PublicRow {
  readonly id: string;
  readonly organizationId: string;
  readonly version: number;
  readonly publicKey: Buffer;
}

/** What reading a public key costs, as of `WorkBudget`. */
const COST = 50;

/** A JSON Web Key Set (RFC 7517) as it is sent. */
export interface KmsJwks {
  readonly body: Buffer;
  readonly etag: string;
}

function write(keys: readonly object[]): KmsJwks {
  const body = Buffer.from(JSON.stringify({ keys }));
  return { body, etag: etagOf(body) };
}

const NONE = write([]);

/**
 * The public keys with which signatures of a project are verified: everybody may know them. At most 1,000, of each key the ten
 * newest versions; where there are more, older versions are left out first. A project that nobody has has none.
 */
export async function getKmsJwks(ctx: Context, { projectId }: { projectId: string }): Promise<KmsJwks> {
  if (!isId(projectId)) return NONE;
  const set = await ctx.signers.load(`kms-jwks:${projectId}`, ctx.now().getTime(), async () => {
    const rows = await ctx.sql<PublicRow>(OF_PROJECT, [projectId]);
    // Nothing is remembered of projects without keys, which anybody can invent.
    if (rows.length === 0) return undefined;
    const keys = await mapInTurns(rows, COST, ({ id, version, publicKey }) =>
      toJwk(readSpki(publicKey), keyIdOfJwk(id, version)),
    );
    return { value: write(keys), tags: [tagOfProject(projectId), ...placeTags({ ...rows[0]!, projectId })] };
  });
  return (set as KmsJwks | undefined) ?? NONE;
}
