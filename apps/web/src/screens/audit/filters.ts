import type { Address } from '../../app/address.ts';
import type { LogInput } from './source.ts';

/** The filters, as the address has them, and as the API names them. The server filters. */
const FILTERS = {
  type: 'eventType',
  actor: 'actor',
  from: 'startDate',
  to: 'endDate',
  environment: 'environment',
  path: 'secretPath',
  key: 'secretKey',
  about: 'eventMetadata',
} as const satisfies Readonly<Record<string, keyof LogInput>>;

export type Filter = keyof typeof FILTERS;

const names = Object.keys(FILTERS) as Filter[];

/** No filter at all, for the address. */
export const NO_FILTERS = Object.fromEntries([...names, 'event'].map((name) => [name, undefined])) as Address;

export const hasFilters = (address: Address): boolean => names.some((name) => address[name] !== undefined);

/** What the server is asked for. */
export const filtersIn = (address: Address): LogInput =>
  Object.fromEntries(names.flatMap((name) => (address[name] ? [[FILTERS[name], address[name]]] : [])));

const pad = (part: number): string => String(part).padStart(2, '0');

/** An instant as an input of local time has it. */
export function localTime(instant: string | undefined): string {
  const time = new Date(instant ?? '');
  if (Number.isNaN(time.getTime())) return '';
  const day = [time.getFullYear(), pad(time.getMonth() + 1), pad(time.getDate())].join('-');
  return `${day}T${[time.getHours(), time.getMinutes(), time.getSeconds()].map(pad).join(':')}`;
}

/** The instant of such an input; empty without one. */
export const instantOf = (local: string): string => (local === '' ? '' : new Date(local).toISOString());
