import type { AuditLogEntry } from '@coffer/client';
import { shortId } from '../../ui/short-id.ts';
import { texts } from './texts.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

type Acted = Pick<AuditLogEntry, 'actor'>;

/** Who did it, by name. */
export function actorName({ actor: { type, metadata } }: Acted): string {
  const named = [metadata['name'], metadata['username'], metadata['email']].map(text).find(Boolean);
  return named ?? (type === 'platform' ? 'Coffer' : type === 'unknownUser' ? texts.somebodyUnknown : type);
}

/** The ID by which the log is filtered for an actor. */
export const actorId = ({ actor: { metadata } }: Acted): string | undefined =>
  [metadata['userId'], metadata['identityId'], metadata['serviceId']].map(text).find(Boolean);

/** What tells it from others of its name: the address of a user, the end of the ID of a machine. */
export function actorMark(entry: Acted): string | undefined {
  const { metadata } = entry.actor;
  const address = [metadata['email'], metadata['username']].map(text).find(Boolean);
  const id = actorId(entry);
  if (address) return address === actorName(entry) ? undefined : address;
  return id && shortId(id);
}

const isId = (value: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value);
const SHOWN = 3;

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** The names that an event holds: what it is about, in short. IDs only where it holds nothing else. */
export function summary({ event: { metadata } }: AuditLogEntry): string {
  const plain = Object.entries(metadata)
    .map(([name, value]) => [name, [value].flat()] as const)
    .filter(([, values]) => values.every(isPlain))
    .map(([name, values]) => [name, values.slice(0, SHOWN).join(' ')] as const)
    .filter(([, value]) => value !== '');
  const named = plain.filter(([, value]) => !isId(value));
  return (named.length > 0 ? named : plain)
    .slice(0, SHOWN)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}
