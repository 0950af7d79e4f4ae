import { useQuery } from '@tanstack/react-query';
import { useAddress } from './address.ts';
import { ask } from './ask.ts';
import { useProjectId } from './project.ts';

export interface FolderAddress {
  /** A slug. */
  readonly environment: string;
  readonly path: string;
}

/** The folder of the address: `?environment=dev&path=/app`; without an environment, the first one. */
export function useFolderAddress() {
  const projectId = useProjectId();
  const [{ environment, path = '/' }, go] = useAddress();
  const project = useQuery({ ...ask('projects', 'get', { projectId }), select: (found) => found.project });
  const slug = environment ?? project.data?.environments[0]?.slug;
  const folder: FolderAddress | undefined = slug === undefined ? undefined : { environment: slug, path };
  return { projectId, project, folder, go };
}
