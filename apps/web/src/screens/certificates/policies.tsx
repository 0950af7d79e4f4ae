import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { KindDetail, KindList, type Kind } from '../../ui/kind.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { Time } from '../../ui/time.tsx';
import { CertificateTabs } from './tabs.ts';

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
  what: 'policy',
  title: 'Certificate policies',
  lead: 'What certificates may say: names, usages, keys and validity.',
  empty: 'There is no policy yet: create one, and profiles that name it.',
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
    { title: 'Alternative names', cell: ({ sans }) => namesText(sans) },
    { title: 'Validity', cell: ({ validity }) => (validity?.max ? `at most ${validity.max}` : 'any') },
    { title: 'Description', cell: ({ description }) => description },
  ],
  factsOf: (policy) => [
    ['Description', policy.description],
    ['Subject', namesText(policy.subject)],
    ['Alternative names', namesText(policy.sans)],
    ['Key usages', policy.keyUsages && limitsText(policy.keyUsages)],
    ['Extended key usages', policy.extendedKeyUsages && limitsText(policy.extendedKeyUsages)],
    ['Keys', valueText(policy.algorithms?.keyAlgorithm)],
    ['Signatures', valueText(policy.algorithms?.signature)],
    ['Validity', policy.validity?.max && `at most ${policy.validity.max}`],
    ['Authorities', policy.basicConstraints?.isCA],
    ['Created', <Time key="created" at={policy.createdAt} />],
  ],
  form: { affects: ['certificatePolicies', 'certificateProfiles'] },
  deletion: 'Only a policy that no profile uses can be deleted.',
};

export const Screen = () => <KindList of={policies} />;
export const One = () => <KindDetail of={policies} />;
