import type { Inputs, Outputs } from '@coffer/client';
import { useFolderAddress } from '../../app/folder-address.ts';
import type { State } from '../../ui/detail.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

export type DynamicSecret = Outputs['dynamicSecrets']['list']['dynamicSecrets'][number];
/** With its configuration, for those who may read it. */
export type ReadDynamicSecret = Outputs['dynamicSecrets']['get']['dynamicSecret'];
export type Lease = Outputs['dynamicSecrets']['leases']['leases'][number];
/** What calls take. */
export type Place = Required<Inputs['dynamicSecrets']['list']>;

/** The folder of the address, as calls take it. */
export function usePlace() {
  const { projectId, project, folder, go } = useFolderAddress();
  const place: Place | undefined =
    project.data && folder
      ? { projectSlug: project.data.slug, environmentSlug: folder.environment, path: folder.path }
      : undefined;
  return { projectId, project, place, go };
}

/** `Failed to delete`, as the API says of what could not be revoked. */
export const FAILED = texts.failedToDelete;

export const secretState = ({ status, statusDetails }: DynamicSecret): State =>
  status === null
    ? { kind: 'good', text: texts.ready }
    : { kind: status === FAILED ? 'bad' : 'warn', text: status, why: statusDetails };

export const leaseState = ({ status, statusDetails }: Lease): State =>
  status === null
    ? { kind: 'good', text: words.valid }
    : { kind: 'bad', text: status === FAILED ? texts.notRevoked : status, why: statusDetails };
