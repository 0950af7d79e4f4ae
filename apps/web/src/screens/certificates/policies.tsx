import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { KindDetail, KindList, type Kind } from '../../ui/kind.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { Time } from '../../ui/time.tsx';
import { CertificateTabs } from './tabs.ts';
import { texts } from './enrolment.texts.ts';
import { words } from '../../ui/words.texts.ts';

type Policy = Outputs['certificatePolicies']['get']['certificatePolicy'];

interface Limits {
  readonly allowed?: readonly string[];
  readonly required?: readonly string[];
  readonly denied?: readonly string[];
}

/** `required a; denied b, c` */
const limitsText = ({ allowed = [], required = [], denied = [] }: Limits): string =>
  Object.entries({ allowed, required, denied })
    .filter(([, values]) => values.length > 0)
    .map(([word, values]) => `${word} ${values.join(', ')}`)
    .join('; ');

const namesText = (kinds: readonly (Limits & { readonly type: string })[] | null) =>
  kinds?.map(({ type, ...limits }) => `${labelOf(type)}: ${limitsText(limits)}`).join('. ');

const policies: Kind<Policy> = {
  what: texts.policy,
  title: texts.certificatePolicies,
  lead: texts.whatCertificatesMaySay,
  empty: texts.thereIsNoPolicy,
  area: 'certificatePolicies',
  subject: 'certificate-policies',
  path: '/projects/$projectId/certificates/policies',
  Tabs: CertificateTabs,
  isSearched: true,
  useRows: (listing) =>
    useQuery({
      ...ask('certificatePolicies', 'list', listing),
      select: ({ certificatePolicies: rows, totalCount: total }) => ({ rows, total }),
    }),
  useRow: (certificatePolicyId) =>
    useQuery({
      ...ask('certificatePolicies', 'get', { certificatePolicyId }),
      select: ({ certificatePolicy }) => certificatePolicy,
    }),
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  refOf: ({ id }) => ({ certificatePolicyId: id }),
  aboutOf: ({ id }) => ({ certificatePolicyId: id }),
  columns: [
    { title: texts.alternativeNames, cell: ({ sans }) => namesText(sans) },
    { title: texts.validity, cell: ({ validity }) => (validity?.max ? texts.atMost(validity.max) : texts.any) },
    { title: words.description, cell: ({ description }) => description },
  ],
  factsOf: (policy) => [
    [words.description, policy.description],
    [words.subject, namesText(policy.subject)],
    [texts.alternativeNames, namesText(policy.sans)],
    [texts.keyUsages, policy.keyUsages && limitsText(policy.keyUsages)],
    [texts.extendedKeyUsages, policy.extendedKeyUsages && limitsText(policy.extendedKeyUsages)],
    [texts.keys, valueText(policy.algorithms?.keyAlgorithm)],
    [texts.signatures, valueText(policy.algorithms?.signature)],
    [texts.validity, policy.validity?.max && texts.atMost(policy.validity.max)],
    [texts.authorities, policy.basicConstraints?.isCA],
    [words.created, <Time key="created" at={policy.createdAt} />],
  ],
  form: { affects: ['certificatePolicies', 'certificateProfiles'] },
  deletion: texts.onlyPolicyThatNoProfile,
};

export const Screen = () => <KindList of={policies} />;
export const One = () => <KindDetail of={policies} />;
