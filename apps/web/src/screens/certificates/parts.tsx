import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { choicePart } from '../../ui/schema-form/choice-part.tsx';
import type { Suggestion } from '../../ui/schema-form/context.ts';
import { useAllIssuers, useIssuers } from './authorities-of.ts';
import { texts } from './enrolment.texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The most that lists for choosing have. */
const MOST = 100;

const ToAuthorities = () => (
  <>
    {texts.thereIsNoneThatIssues(
      <Link to="/projects/$projectId/certificates/authorities" params={{ projectId: useProjectId() }}>
        {texts.createAuthority}
      </Link>,
    )}
  </>
);

/** An authority of Coffer. */
export const issuerPart = choicePart({
  label: words.authority,
  useOptions: useIssuers,
  none: <ToAuthorities />,
  isNeeded: true,
});

/** An authority of Coffer or others. */
export const anyIssuerPart = choicePart({
  label: words.authority,
  useOptions: useAllIssuers,
  none: <ToAuthorities />,
  isNeeded: true,
});

export const parentPart = choicePart({
  label: texts.parentAuthority,
  useOptions: useIssuers,
  hint: texts.forIntermediate,
});

export const templatePart = choicePart({
  label: words.template,
  useOptions: () =>
    useQuery(ask('certificateTemplates', 'list', { projectId: useProjectId(), limit: MOST }))
      .data?.certificateTemplates //
      .map(({ id, name, caName }) => ({ value: id, label: `${name} (${caName})` })),
  none: texts.noTemplate,
  isNeeded: true,
});

export const profilePart = choicePart({
  label: words.profile,
  useOptions: () =>
    useQuery(
      ask('certificateProfiles', 'list', { projectId: useProjectId(), limit: MOST }),
    ).data?.certificateProfiles.map(({ id, slug, certificateAuthority: by }) => ({
      value: id,
      label: by ? `${slug} (${by.name})` : slug,
    })),
  none: texts.noProfile,
  isNeeded: true,
});

export const policyPart = choicePart({
  label: words.policy,
  useOptions: () =>
    useQuery(
      ask('certificatePolicies', 'list', { projectId: useProjectId(), limit: MOST }),
    ).data?.certificatePolicies.map(({ id, name }) => ({ value: id, label: name })),
  none: texts.noPolicy,
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
  label: texts.collectionTitle,
  useOptions: () =>
    useQuery(ask('certificateCollections', 'list', { projectId: useProjectId() }))
      .data?.collections //
      .map(({ id, name }) => ({ value: id, label: name })),
  hint: texts.toWhichItIsAdded,
});
