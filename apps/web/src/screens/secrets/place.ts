import { useSearch } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import { useProjectId } from '../../app/project.ts';

/** Where one is in a project, and what is looked for there: all of it is in the address. */
export interface Place {
  readonly projectId: string;
  /** The folder: `/app/db`. */
  readonly path: string;
  /** A part of names. */
  readonly search: string;
  /** Slug of a tag. */
  readonly tag: string;
  /** The secret whose details are open. */
  readonly opened: { readonly environment: string; readonly secretKey: string } | undefined;
}

type Search = {
  readonly path?: string;
  readonly q?: string;
  readonly tag?: string;
  readonly env?: string;
  readonly key?: string;
};

/** A folder named `7` is a number in the parsed address. */
const text = (given: unknown): string =>
  typeof given === 'string' ? given : typeof given === 'number' || typeof given === 'boolean' ? String(given) : '';

export function usePlace(): Place {
  const projectId = useProjectId();
  const given: Search = useSearch({ strict: false });
  const environment = text(given.env);
  const secretKey = text(given.key);
  return {
    projectId,
    path: text(given.path) || '/',
    search: text(given.q),
    tag: text(given.tag),
    opened: environment && secretKey ? { environment, secretKey } : undefined,
  };
}

/** Changes the place; what is not named stays, and empty things leave the address. */
export const useGo = (): ((change: Search, options?: { replace?: boolean }) => void) => useAddress()[1];

export const childPath = (path: string, name: string): string => (path === '/' ? `/${name}` : `${path}/${name}`);
