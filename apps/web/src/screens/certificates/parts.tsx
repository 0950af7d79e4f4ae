import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { choicePart } from '../../ui/schema-form/choice-part.tsx';
import type { Suggestion } from '../../ui/schema-form/context.ts';
import { useAllIssuers, useIssuers } from './authorities-of.ts';

/** The most that lists for choosing have. */
const MOST = 100;

const ToAuthorities = () => (
  <>
    There is none that issues:{' '}
    <Link to="/projects/$projectId/certificates/authorities" params={{ projectId: useProjectId() }}>
      create an authority
    </Link>{' '}
    first.
  </>
);

/** An authority of Coffer. */
export const issuerPart = choicePart({
  label: 'Authority',
  useOptions: useIssuers,
  none: <ToAuthorities />,
  isNeeded: true,
});

/** An authority of Coffer or others. */
export const anyIssuerPart = choicePart({
  label: 'Authority',
  useOptions: useAllIssuers,
  none: <ToAuthorities />,
  isNeeded: true,
});

export const parentPart = choicePart({
  label: 'Parent authority',
  useOptions: useIssuers,
  hint: 'For an intermediate: it signs it immediately. None: it is signed elsewhere, by its CSR',
});

export const templatePart = choicePart({
  label: 'Template',
  useOptions: () =>
    useQuery(ask('certificateTemplates', 'list', { projectId: useProjectId(), limit: MOST }))
      .data?.certificateTemplates //
      .map(({ id, name, caName }) => ({ value: id, label: `${name} (${caName})` })),
  none: 'There is none: create a template first.',
  isNeeded: true,
});

export const profilePart = choicePart({
  label: 'Profile',
  useOptions: () =>
    useQuery(
      ask('certificateProfiles', 'list', { projectId: useProjectId(), limit: MOST }),
    ).data?.certificateProfiles.map(({ id, slug, certificateAuthority: by }) => ({
      value: id,
      label: by ? `${slug} (${by.name})` : slug,
    })),
  none: 'There is none: create a policy and a profile first.',
  isNeeded: true,
});

export const policyPart = choicePart({
  label: 'Policy',
  useOptions: () =>
    useQuery(
      ask('certificatePolicies', 'list', { projectId: useProjectId(), limit: MOST }),
    ).data?.certificatePolicies.map(({ id, name }) => ({ value: id, label: name })),
  none: 'There is none: create a policy first.',
  isNeeded: true,
});

/** The newest certificates that are valid. */
export function useCertificateOptions(isWithKey = false): readonly Suggestion[] | undefined {
  const projectId = useProjectId();
  const { data } = useQuery(ask('certificates', 'list', { projectId, status: 'active', limit: MOST }));
  return data?.certificates
    .filter(({ hasPrivateKey }) => hasPrivateKey || !isWithKey)
    .map(({ id, commonName, serialNumber }) => ({ value: id, label: `${commonName} (${serialNumber.slice(0, 8)})` }));
}

export const collectionPart = choicePart({
  label: 'Collection',
  useOptions: () =>
    useQuery(ask('certificateCollections', 'list', { projectId: useProjectId() }))
      .data?.collections //
      .map(({ id, name }) => ({ value: id, label: name })),
  hint: 'To which it is added. Optional',
});
