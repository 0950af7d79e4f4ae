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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const stateOf = ({ isDisabled, deletionDate }: Key): State =>
  deletionDate !== null
    ? { kind: 'bad', text: texts.isDestroyed, at: deletionDate }
    : isDisabled
      ? { kind: 'warn', text: words.disabled }
      : { kind: 'good', text: words.enabled };

const USAGES = {
  'encrypt-decrypt': texts.encryption,
  'sign-verify': texts.signatures,
  'generate-verify-mac': texts.macs,
} as const;

const STATES = [
  ['', texts.keysInUse],
  ['pending-deletion', texts.keysBeingDeleted],
] as const;

const StateFilter = () => (
  <Filters>
    <ChoiceFilter name="state" label={words.show} options={STATES} />
  </Filters>
);

/** The use that a program begins with. */
const CALLS = {
  'encrypt-decrypt': { title: texts.encrypt, operation: 'kms_encrypt', body: { plaintext: btoa('hello') } },
  'sign-verify': { title: texts.sign, operation: 'kms_sign', body: { data: btoa('hello') } },
  'generate-verify-mac': { title: texts.generateMac, operation: 'kms_generateMac', body: { data: btoa('hello') } },
} as const;

const KeyByMachine = ({ of: { id: keyId, keyUsage } }: { readonly of: Key }) => (
  <ByMachine {...CALLS[keyUsage]} parameters={{ keyId }} />
);

const keys: Kind<Key> = {
  what: texts.key,
  title: texts.keys,
  lead: texts.keysThatProgramsUse,
  empty: texts.thereIsNoSuchKey,
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
    { title: texts.for, cell: ({ keyUsage }) => USAGES[keyUsage] },
    { title: texts.algorithm, cell: ({ algorithm }) => algorithm },
    { title: words.version, cell: ({ version }) => version },
    { title: words.status, cell: (key) => <Status {...stateOf(key)} /> },
    { title: texts.nextRotation, cell: ({ nextRotationDate }) => <Time at={nextRotationDate} /> },
  ],
  factsOf: (key) => [
    [words.description, key.description],
    [words.status, <Status key="status" {...stateOf(key)} />],
    [texts.for, USAGES[key.keyUsage]],
    [texts.algorithm, key.algorithm],
    [words.version, texts.olderOnesStillDecrypt(key.version)],
    [
      texts.rotation,
      key.rotationPeriodDays === null ? texts.onRequestAndWhenItsUse : texts.everyDays(key.rotationPeriodDays),
    ],
    [texts.nextRotation, key.nextRotationDate && <Time key="next" at={key.nextRotationDate} />],
    [texts.canBeExported, valueText(key.isExportable)],
    [texts.imported, valueText(key.isImported)],
    [texts.protectedFromDeletion, valueText(key.hasDeleteProtection)],
    [texts.id, <code key="id">{key.id}</code>],
    [words.created, <Time key="created" at={key.createdAt} />],
  ],
  form: {
    hidden: ['encryptionAlgorithm'],
    prominent: ['keyUsage', 'algorithm', 'rotationPeriodDays'],
    initial: { keyUsage: 'encrypt-decrypt' },
    affects: ['kmsKeys'],
  },
  deletion: texts.itIsNotUsed,
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
