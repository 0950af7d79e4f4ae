import type { Outputs } from '@coffer/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import type { Suggestion } from '../../ui/schema-form/context.ts';
import { texts } from './authorities.texts.ts';

export type Authority = Outputs['certificateAuthorities']['list'][number];
export type ExternalAuthority = Outputs[ExternalType['area']]['list'][number];

/** Where authorities of others are: the area of the API for each. */
export const EXTERNAL = [
  { type: 'acme', title: texts.acme, area: 'acmeAuthorities', apps: ['aws', 'cloudflare', 'azure-dns'] },
  { type: 'aws-pca', title: texts.awsPrivateCa, area: 'awsPcaAuthorities', apps: ['aws'] },
  { type: 'digicert', title: texts.digiCert, area: 'digicertAuthorities', apps: ['digicert'] },
] as const;
export type ExternalType = (typeof EXTERNAL)[number];

/** The authorities whose keys Coffer has. */
export function useAuthorities() {
  const projectId = useProjectId();
  return useQuery(ask('certificateAuthorities', 'list', { projectId }));
}

/** Those of others. A list that cannot be read has none. */
export function useExternalAuthorities(): readonly (ExternalAuthority & { readonly at: ExternalType })[] {
  const projectId = useProjectId();
  return useQueries({
    queries: EXTERNAL.map(({ area }) => ask(area, 'list', { projectId })),
    combine: (answers) =>
      answers.flatMap(({ data }, index) =>
        ((data ?? []) as readonly ExternalAuthority[]).map((one) => ({ ...one, at: EXTERNAL[index]! })),
      ),
  });
}

/** Authorities of Coffer that issue, to choose from. */
export function useIssuers(): readonly Suggestion[] | undefined {
  const { data } = useAuthorities();
  return data
    ?.filter(({ status }) => status === 'active')
    .map(({ id, name, configuration }) => ({ value: id, label: `${name} (${configuration.type})` }));
}

/** All authorities that issue, to choose from. */
export function useAllIssuers(): readonly Suggestion[] | undefined {
  const own = useIssuers();
  const others = useExternalAuthorities();
  const external = others.map(({ id, name, at }) => ({ value: id, label: `${name} (${at.title})` }));
  return own && [...own, ...external];
}

/** The name of an authority by its ID. */
export function useAuthorityName(): (id: string | null) => string {
  const { data = [] } = useAuthorities();
  const others = useExternalAuthorities();
  return (id) => (id === null ? '–' : ([...data, ...others].find((one) => one.id === id)?.name ?? id));
}

export const AUTHORITY = '/projects/$projectId/certificates/authorities/$id';
