import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { Status, type State } from '../../ui/detail.tsx';
import { ChoiceFilter, Filters } from '../../ui/filter.tsx';
import { KindDetail, KindList, type Kind } from '../../ui/kind.tsx';
import { valueText } from '../../ui/schema-form/words.ts';
import { Time } from '../../ui/time.tsx';
import { ByMachine } from '../api-reference/by-machine.tsx';
import { ImportKeys } from './import-keys.tsx';
import type { Key } from './key.ts';
import { KeyActions } from './key-actions.tsx';
import { PublicKey } from './public-key.tsx';
import { TryOut } from './try-out.tsx';

const stateOf = ({ isDisabled, deletionDate }: Key): State =>
  deletionDate !== null
    ? { kind: 'bad', text: 'Is destroyed', at: deletionDate }
    : isDisabled
      ? { kind: 'warn', text: 'Disabled' }
      : { kind: 'good', text: 'Enabled' };

const USAGES = {
  'encrypt-decrypt': 'Encryption',
  'sign-verify': 'Signatures',
  'generate-verify-mac': 'MACs',
} as const;

const STATES = [
  ['', 'Keys in use'],
  ['pending-deletion', 'Keys being deleted'],
] as const;

const StateFilter = () => (
  <Filters>
    <ChoiceFilter name="state" label="Show" options={STATES} />
  </Filters>
);

/** The use that a program begins with. */
const CALLS = {
  'encrypt-decrypt': { title: 'Encrypt', operation: 'kms_encrypt', body: { plaintext: btoa('hello') } },
  'sign-verify': { title: 'Sign', operation: 'kms_sign', body: { data: btoa('hello') } },
  'generate-verify-mac': { title: 'Generate a MAC', operation: 'kms_generateMac', body: { data: btoa('hello') } },
} as const;

const KeyByMachine = ({ of: { id: keyId, keyUsage } }: { readonly of: Key }) => (
  <ByMachine {...CALLS[keyUsage]} parameters={{ keyId }} />
);

const keys: Kind<Key> = {
  what: 'key',
  title: 'Keys',
  lead: 'Keys that programs use and never see: they encrypt, sign and authenticate here.',
  empty: 'There is no such key yet.',
  area: 'kmsKeys',
  subject: 'cmek',
  path: '/projects/$projectId/keys',
  Tabs: StateFilter,
  isSearched: true,
  useRows(listing) {
    const [{ state }] = useAddress();
    return useQuery({
      ...ask('kmsKeys', 'list', { ...listing, ...(state === 'pending-deletion' && { state }) }),
      select: ({ keys: rows, totalCount: total }) => ({ rows, total }),
    });
  },
  useRow: (keyId) => useQuery({ ...ask('kmsKeys', 'get', { keyId }), select: ({ key }) => key }),
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  refOf: ({ id }) => ({ keyId: id }),
  aboutOf: ({ id }) => ({ keyId: id }),
  isEnded: ({ deletionDate }) => deletionDate !== null,
  columns: [
    { title: 'For', cell: ({ keyUsage }) => USAGES[keyUsage] },
    { title: 'Algorithm', cell: ({ algorithm }) => algorithm },
    { title: 'Version', cell: ({ version }) => version },
    { title: 'Status', cell: (key) => <Status {...stateOf(key)} /> },
    { title: 'Next rotation', cell: ({ nextRotationDate }) => <Time at={nextRotationDate} /> },
  ],
  factsOf: (key) => [
    ['Description', key.description],
    ['Status', <Status key="status" {...stateOf(key)} />],
    ['For', USAGES[key.keyUsage]],
    ['Algorithm', key.algorithm],
    ['Version', key.version === 1 ? '1' : `${key.version}; older ones still decrypt and verify`],
    [
      'Rotation',
      key.rotationPeriodDays === null
        ? 'on request, and when its use needs it'
        : `every ${key.rotationPeriodDays} days`,
    ],
    ['Next rotation', key.nextRotationDate && <Time key="next" at={key.nextRotationDate} />],
    ['Can be exported', valueText(key.isExportable)],
    ['Imported', valueText(key.isImported)],
    ['Protected from deletion', valueText(key.hasDeleteProtection)],
    ['ID', <code key="id">{key.id}</code>],
    ['Created', <Time key="created" at={key.createdAt} />],
  ],
  form: {
    hidden: ['encryptionAlgorithm'],
    prominent: ['keyUsage', 'algorithm', 'rotationPeriodDays'],
    initial: { keyUsage: 'encrypt-decrypt' },
    affects: ['kmsKeys'],
  },
  deletion: 'It is not used any more from now on, and destroyed in 30 days. Until then the deletion can be cancelled.',
  ListActions: ImportKeys,
  Actions: KeyActions,
  More: (props) => (
    <>
      <TryOut {...props} />
      <KeyByMachine {...props} />
      <PublicKey {...props} />
    </>
  ),
};

export const Screen = () => <KindList of={keys} />;
export const One = () => <KindDetail of={keys} />;
