import type { Inputs, Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import type { State } from '../../ui/detail.tsx';

export type DynamicSecret = Outputs['dynamicSecrets']['list']['dynamicSecrets'][number];
/** With its configuration, for those who may read it. */
export type ReadDynamicSecret = Outputs['dynamicSecrets']['get']['dynamicSecret'];
export type Lease = Outputs['dynamicSecrets']['leases']['leases'][number];
/** What calls take. */
export type Place = Required<Inputs['dynamicSecrets']['list']>;

/** The folder of the address: `?environment=dev&path=/app`; without an environment, the first one. */
export function usePlace() {
  const projectId = useProjectId();
  const [{ environment, path = '/' }, go] = useAddress();
  const project = useQuery({ ...ask('projects', 'get', { projectId }), select: (found) => found.project });
  const environmentSlug = environment ?? project.data?.environments[0]?.slug;
  const place: Place | undefined =
    project.data && environmentSlug !== undefined
      ? { projectSlug: project.data.slug, environmentSlug, path }
      : undefined;
  return { projectId, project, place, go };
}

/** `Failed to delete`, as the API says of what could not be revoked. */
export const FAILED = 'Failed to delete';

export const secretState = ({ status, statusDetails }: DynamicSecret): State =>
  status === null
    ? { kind: 'good', text: 'Ready' }
    : { kind: status === FAILED ? 'bad' : 'warn', text: status, why: statusDetails };

export const leaseState = ({ status, statusDetails }: Lease): State =>
  status === null
    ? { kind: 'good', text: 'Valid' }
    : { kind: 'bad', text: status === FAILED ? 'Not revoked' : status, why: statusDetails };
