import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { KindDetail, KindList, type Kind } from '../../ui/kind.tsx';
import { SecretPart } from '../../ui/schema-form/scalars.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { ByMachine } from '../api-reference/by-machine.tsx';
import { anyIssuerPart, policyPart } from './parts.tsx';
import { CertificateTabs } from './tabs.ts';
import { texts } from './enrolment.texts.ts';
import { words } from '../../ui/words.texts.ts';

type Profile = Outputs['certificateProfiles']['get']['certificateProfile'];

/** How the API takes them up. */
const ENROLLMENT = { api: texts.byApi, est: texts.byEst, acme: texts.byAcme, scep: texts.byScep } as const;

const profiles: Kind<Profile> = {
  what: texts.profile,
  title: texts.certificateProfiles,
  lead: texts.whoMayEnrolHow,
  empty: texts.thereIsNoProfile,
  area: 'certificateProfiles',
  subject: 'certificate-profiles',
  path: '/projects/$projectId/certificates/profiles',
  Tabs: CertificateTabs,
  isSearched: true,
  useRows: (listing) =>
    useQuery({
      ...ask('certificateProfiles', 'list', listing),
      select: ({ certificateProfiles: rows, totalCount: total }) => ({ rows, total }),
    }),
  useRow: (profileId) =>
    useQuery({
      ...ask('certificateProfiles', 'get', { profileId }),
      select: ({ certificateProfile }) => certificateProfile,
    }),
  idOf: ({ id }) => id,
  nameOf: ({ slug }) => slug,
  refOf: ({ id }) => ({ profileId: id }),
  aboutOf: ({ id }) => ({ certificateProfileId: id }),
  columns: [
    { title: words.authority, cell: ({ certificateAuthority: by }) => by?.name ?? '–' },
    { title: words.policy, cell: ({ certificatePolicy }) => certificatePolicy.name },
    { title: texts.enrolment, cell: ({ enrollmentType }) => ENROLLMENT[enrollmentType] },
    { title: words.description, cell: ({ description }) => description },
  ],
  factsOf: ({ projectId, certificatePolicy, defaults, ...profile }) => [
    [words.description, profile.description],
    [words.authority, profile.certificateAuthority?.name],
    [
      words.policy,
      <Link
        key="policy"
        to="/projects/$projectId/certificates/policies/$id"
        params={{ projectId, id: certificatePolicy.id }}
      >
        {certificatePolicy.name}
      </Link>,
    ],
    [texts.enrolment, ENROLLMENT[profile.enrollmentType]],
    [texts.acmeDirectory, profile.acmeConfig && <code key="acme">{profile.acmeConfig.directoryUrl}</code>],
    [texts.renewal, profile.apiConfig?.autoRenew && texts.daysBeforeEnd(profile.apiConfig.renewBeforeDays ?? 7)],
    ...Object.entries(defaults ?? {}).map(([name, value]) => [`Default: ${labelOf(name)}`, valueText(value)] as const),
  ],
  form: {
    hidden: ['issuerType', 'externalConfigs'],
    only: { enrollmentType: ['api', 'est', 'acme'] },
    parts: { caId: anyIssuerPart, certificatePolicyId: policyPart, 'estConfig.passphrase': SecretPart },
    prominent: ['apiConfig', 'estConfig', 'acmeConfig'],
    affects: ['certificateProfiles'],
  },
  shownOnce: ({ estConfig }) => (estConfig?.passphrase ? [[texts.estPassphrase, estConfig.passphrase]] : []),
  deletion: texts.nobodyCanEnrolByItAnyMore,
  Actions: EabSecret,
  More: ({ of: { id, enrollmentType } }) =>
    enrollmentType === 'api' && (
      <ByMachine
        title={texts.issueCertificate}
        operation="certificateOrders_order"
        body={{ profileId: id, attributes: { commonName: 'app.example.com', ttl: '90d' } }}
      />
    ),
};

/** What ACME clients need to bind their accounts. */
function EabSecret({ of: { id, projectId, enrollmentType } }: { readonly of: Profile }) {
  const may = useProjectRights(projectId);
  const [shown, setShown] = useState<readonly (readonly [string, string])[]>();
  if (enrollmentType !== 'acme' || !may('certificate-profiles', 'edit')) return null;
  const reveal = async () => {
    const { eabKid, eabSecret } = await coffer.acme.revealEabSecret.query({ profileId: id });
    setShown([
      [texts.keyId, eabKid],
      [texts.hmacKey, eabSecret],
    ]);
  };
  return (
    <>
      <Act label={texts.accountBinding} run={reveal} />
      {shown && (
        <ShownOnce
          title={texts.forExternalAccountBinding}
          note={texts.whoeverHasTheseCanEnrol}
          values={shown}
          isRepeatable
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

export const Screen = () => <KindList of={profiles} />;
export const One = () => <KindDetail of={profiles} />;
