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

export function usePlace(): Place {
  const projectId = useProjectId();
  const [{ path = '/', q: search = '', tag = '', env: environment, key: secretKey }] = useAddress();
  return {
    projectId,
    path,
    search,
    tag,
    opened: environment && secretKey ? { environment, secretKey } : undefined,
  };
}

/** Changes the place; what is not named stays, and empty things leave the address. */
export const useGo = (): ((change: Search, options?: { replace?: boolean }) => void) => useAddress()[1];

export const childPath = (path: string, name: string): string => (path === '/' ? `/${name}` : `${path}/${name}`);
