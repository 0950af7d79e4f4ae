import { Refused } from '../../subject/client.ts';
import { ENVIRONMENT, secretOf, writeBatch, type World } from '../../subject/world.ts';
import type { Load } from '../load.ts';

/** One kind of work: the requests for Coffer, and the equivalent ones for the floor. */
export interface Line {
  readonly name: string;
  readonly title: string;
  /** Maximum cost as a multiple of the first comparison's CPU time. */
  readonly target: number | undefined;
  /** Minimum rate as a multiple of the first comparison's. */
  readonly rate?: number;
  /** Requests at a time; default: 32. */
  readonly connections?: number;
  /** Makes what the work needs. @throws Refused 404 where this server has no such operation */
  prepare(world: World, databaseUrl: string): Promise<Work>;
  /** The decisive floor first; others show the cost of a part of the work. */
  readonly floors: readonly { readonly name: string; readonly load: FloorLoad }[];
}

/** The requests, and simpler ones to the same server, which are compared with them before any floor. */
export type Work = Load & { readonly without?: Load };

type FloorLoad = Pick<Load, 'method' | 'methods' | 'paths' | 'body'>;

export const HUNDRED = Array.from({ length: 100 }, (_, i) => `SECRET_${String(i).padStart(3, '0')}`);
export const HUNDRED_SECRETS = HUNDRED.map((name) => secretOf(name));

export const asked = ({ admin: { url, headers } }: World, load: Omit<Load, 'url' | 'headers'>): Load => ({
  url,
  headers,
  ...load,
});
/** Fastify refuses the content type of a body that is not there. */
const withoutBody = (load: Load): Load => ({
  ...load,
  headers: { authorization: load.headers['authorization']! },
});
/** Reads with these paths. */
export const reading = (world: World, ...paths: readonly string[]): Load =>
  withoutBody(asked(world, { method: 'GET', paths }));

export const place = (projectId: string, secretPath: string) =>
  `projectId=${projectId}&environment=${ENVIRONMENT}&secretPath=${encodeURIComponent(secretPath)}`;

export const floorOf = (...paths: readonly string[]) => [{ name: 'floor', load: { method: 'GET', paths } }];

/** What the reading lines read, in a Coffer. */
export const seedCoffer = (world: World): Promise<void> => writeBatch(world, '/', HUNDRED_SECRETS);

/** What the reading lines read, in both programs. */
export async function seed(world: World, floorUrl: string): Promise<void> {
  await seedCoffer(world);
  const answer = await fetch(`${floorUrl}/seed`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secrets: HUNDRED_SECRETS }),
  });
  if (!answer.ok) throw new Error(`The floor could not be seeded: ${await answer.text()}`);
}

/** Whether an error means that the server does not have the operation (yet). */
export const isMissing = (error: unknown): boolean => error instanceof Refused && error.status === 404;
