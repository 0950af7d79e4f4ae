import type { AuditLogEntry } from '@coffer/client';
import { texts } from './texts.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Who did it, by name. */
export function actorName({ actor: { type, metadata } }: AuditLogEntry): string {
  const named = [metadata['name'], metadata['username'], metadata['email']].map(text).find(Boolean);
  return named ?? (type === 'platform' ? 'Coffer' : type === 'unknownUser' ? texts.somebodyUnknown : type);
}

/** The ID by which the log is filtered for an actor. */
export const actorId = ({ actor: { metadata } }: AuditLogEntry): string | undefined =>
  [metadata['userId'], metadata['identityId'], metadata['serviceId']].map(text).find(Boolean);

const isId = (value: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value);
const SHOWN = 3;

/** The names that an event holds, without IDs: what it is about, in short. */
export const summary = ({ event: { metadata } }: AuditLogEntry): string =>
  Object.entries(metadata)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => [name, String(value)] as const)
    .filter(([, value]) => value !== '' && !isId(value))
    .slice(0, SHOWN)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
