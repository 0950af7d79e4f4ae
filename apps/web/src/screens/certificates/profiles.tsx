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

type Profile = Outputs['certificateProfiles']['get']['certificateProfile'];

/** How the API takes them up. */
const ENROLLMENT = { api: 'by the API', est: 'by EST', acme: 'by ACME', scep: 'by SCEP' } as const;

const profiles: Kind<Profile> = {
  what: 'profile',
  title: 'Certificate profiles',
  lead: 'Who may enrol how: an authority, and a policy for what it issues.',
  empty: 'There is no profile yet: create a policy, then a profile that names it.',
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
    { title: 'Authority', cell: ({ certificateAuthority: by }) => by?.name ?? '–' },
    { title: 'Policy', cell: ({ certificatePolicy }) => certificatePolicy.name },
    { title: 'Enrolment', cell: ({ enrollmentType }) => ENROLLMENT[enrollmentType] },
    { title: 'Description', cell: ({ description }) => description },
  ],
  factsOf: ({ projectId, certificatePolicy, defaults, ...profile }) => [
    ['Description', profile.description],
    ['Authority', profile.certificateAuthority?.name],
    [
      'Policy',
      <Link
        key="policy"
        to="/projects/$projectId/certificates/policies/$id"
        params={{ projectId, id: certificatePolicy.id }}
      >
        {certificatePolicy.name}
      </Link>,
    ],
    ['Enrolment', ENROLLMENT[profile.enrollmentType]],
    ['ACME directory', profile.acmeConfig && <code key="acme">{profile.acmeConfig.directoryUrl}</code>],
    ['Renewal', profile.apiConfig?.autoRenew && `${profile.apiConfig.renewBeforeDays ?? 7} days before the end`],
    ...Object.entries(defaults ?? {}).map(([name, value]) => [`Default: ${labelOf(name)}`, valueText(value)] as const),
  ],
  form: {
    hidden: ['issuerType', 'externalConfigs'],
    only: { enrollmentType: ['api', 'est', 'acme'] },
    parts: { caId: anyIssuerPart, certificatePolicyId: policyPart, 'estConfig.passphrase': SecretPart },
    prominent: ['apiConfig', 'estConfig', 'acmeConfig'],
    affects: ['certificateProfiles'],
  },
  shownOnce: ({ estConfig }) => (estConfig?.passphrase ? [['EST passphrase', estConfig.passphrase]] : []),
  deletion: 'Nobody can enrol by it any more. Its certificates stay.',
  Actions: EabSecret,
  More: ({ of: { id, enrollmentType } }) =>
    enrollmentType === 'api' && (
      <ByMachine
        title="Issue a certificate"
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
      ['Key ID', eabKid],
      ['HMAC key', eabSecret],
    ]);
  };
  return (
    <>
      <Act label="Account binding" run={reveal} />
      {shown && (
        <ShownOnce
          title="For the external account binding (EAB)"
          note="Whoever has these can enrol by this profile. The audit log records that you read them."
          values={shown}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

export const Screen = () => <KindList of={profiles} />;
export const One = () => <KindDetail of={profiles} />;
