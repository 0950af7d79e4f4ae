import { hash } from 'node:crypto';
import { WorkBudget } from '../../kernel/index.ts';

/**
 * A Bloom filter of what the events of a segment can be filtered by: a page with filters need not open segments without a
 * match. One term for each value; a value that is neither text nor truth, for the name of its field alone.
 */

const BITS_PER_TERM = 10;
const POSITIONS = 4;

/** What filters look at of an event. */
export interface Filterable {
  readonly published: string;
  readonly actorType: string;
  readonly actorId: string | null;
  readonly userAgentType: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const typeTerm = (published: string) => `type ${published}`;
export const actorTypeTerm = (type: string) => `actorType ${type}`;
export const actorTerm = (id: string) => `actor ${id}`;
export const agentTerm = (type: string) => `agent ${type}`;
export const secretTerm = (key: string) => `secret ${key}`;
/** Either of these is there where the event's data has this text under the name. */
export const dataTerms = (name: string, text: string) => [`data ${name} ${text}`, `data ${name}`];

export function termsOf({ published, actorType, actorId, userAgentType, data }: Filterable): string[] {
  const { secretKey, secrets } = data as { secretKey?: unknown; secrets?: unknown };
  const keys = [secretKey, ...(Array.isArray(secrets) ? (secrets as { secretKey?: unknown }[]).map(keyOf) : [])];
  return [
    typeTerm(published),
    actorTypeTerm(actorType),
    ...(actorId === null ? [] : [actorTerm(actorId)]),
    agentTerm(userAgentType),
    ...keys.filter((key) => typeof key === 'string').map(secretTerm),
    ...Object.entries(data)
      .filter(([, value]) => value !== null)
      .map(([name, value]) =>
        typeof value === 'string' || typeof value === 'boolean' ? `data ${name} ${value}` : `data ${name}`,
      ),
  ];
}

const keyOf = (secret: { secretKey?: unknown } | null): unknown => secret?.secretKey;

/** Numbers whose remainders are the bits of a term. */
function positionsOf(term: string): number[] {
  const digest = hash('sha1', term, 'buffer');
  return Array.from({ length: POSITIONS }, (_, index) => digest.readUInt32LE(4 * index));
}

export async function bloomOf(terms: ReadonlySet<string>): Promise<Buffer> {
  const filter = Buffer.alloc(Math.max(8, Math.ceil((terms.size * BITS_PER_TERM) / 8)));
  const pace = new WorkBudget();
  for (const term of terms) {
    for (const position of positionsOf(term)) {
      const bit = position % (filter.length * 8);
      filter[bit >> 3]! |= 1 << (bit & 7);
    }
    pace.spend(1);
    if (pace.shouldYield) await pace.rest();
  }
  return filter;
}

/**
 * Whether the filter of a segment `s` may have, of each group, one term. Its parameter is what `asPositions` makes; bits
 * are numbered as in `get_bit`.
 */
export const mayHaveTerms = (parameter: string): string =>
  `not exists (select from json_array_elements(${parameter}::json) any_of (terms) where not exists (
     select from json_array_elements(any_of.terms) term (positions) where not exists (
       select from json_array_elements_text(term.positions) position
       where get_bit(s.terms, position::bigint % (8 * length(s.terms))) = 0)))`;

export const asPositions = (groups: readonly (readonly string[])[]): string =>
  JSON.stringify(groups.map((terms) => terms.map(positionsOf)));
