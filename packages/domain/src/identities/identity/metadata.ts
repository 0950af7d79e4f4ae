import { v5 } from 'uuid';
import {
  mapInTurns,
  portionsOfRows,
  statement,
  type AnswerRoom,
  type Context,
  type Metadata,
} from '../../kernel/index.ts';

/** The published form of metadata: an entry's ID is derived from its identity, its place and its key. */
export const publishMetadata = (identityId: string, metadata: Metadata) =>
  metadata.map(({ key, value }, index) => ({ id: v5(`${index} ${key}`, identityId), key, value }));
export type PublishedMetadata = ReturnType<typeof publishMetadata>;

/** SQL of whether identities have metadata, which are not read for that: those without an entry have no more octets. */
export const HAS_METADATA = `pg_column_size(i.metadata) > pg_column_size('[]'::jsonb) as "hasMetadata"`;
const METADATA = statement(
  'identities.metadata',
  'select id, metadata from identities where organization_id = $1 and id = any($2::uuid[])',
);

/** Identities whose metadata are read at a time. */
const PORTION = 100;

interface Listed {
  readonly id: string;
  readonly hasMetadata: boolean;
}

/** The metadata of the identities of a list, by ID: read in portions, until they are too large for an answer. */
export async function metadataOfListed(
  ctx: Context,
  organizationId: string,
  listed: readonly Listed[],
  room: AnswerRoom,
): Promise<ReadonlyMap<string, PublishedMetadata>> {
  const ids = listed.flatMap(({ id, hasMetadata }) => (hasMetadata ? [id] : []));
  const found = new Map<string, PublishedMetadata>();
  for (const portion of portionsOfRows(ids, PORTION)) {
    const rows = await ctx.sql<{ id: string; metadata: Metadata }>(METADATA, [organizationId, portion]);
    const cost = ({ metadata }: { metadata: Metadata }) => metadata.length;
    await mapInTurns(rows, cost, ({ id, metadata }) => {
      room.take(JSON.stringify(metadata).length);
      found.set(id, publishMetadata(id, metadata));
    });
  }
  return found;
}
