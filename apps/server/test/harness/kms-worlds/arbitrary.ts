import type { Rule } from '@coffer/domain';
import fc from 'fast-check';
import { anyPlayer, some, type Rights } from '../worlds.ts';

// Worlds in which keys are used: keys, callers with rules about them, and what these ask. Few names, so that most rules speak of
// most keys.

export const ACTIONS = [
  ...['read', 'create', 'edit', 'delete', 'rotate', 'import', 'export-private-key'],
  ...['encrypt', 'decrypt', 'sign', 'verify', 'generate-mac', 'verify-mac'],
];
const NAMES = ['app', 'app-db', 'admin', 'admin-db', 'db'];

export interface NewKey {
  readonly name: string;
  readonly algorithm: string;
  readonly isExportable: boolean;
  readonly hasDeleteProtection: boolean;
  readonly rotationPeriodDays?: number | undefined;
}

/** What is done with a key: of the operation, and with one of what was made before. */
export interface Work {
  readonly text: string;
  readonly associated: string;
  /** Which of the ciphertexts, signatures and MACs; of those by the same key, or of all. */
  readonly made: number;
  readonly isOwn: boolean;
  readonly isAltered: boolean;
  readonly isDigest: boolean;
  readonly signingAlgorithm?: string | undefined;
  readonly keyVersion?: number | undefined;
}

export interface Step {
  /** An operation, `use` for one that the key is for, or what happens besides. */
  readonly what: string;
  readonly by: number;
  readonly key: number;
  readonly isTrpc: boolean;
  readonly works: readonly [Work, ...Work[]];
  /** `isDisabled` is turned round. */
  readonly changes: {
    readonly name?: string;
    readonly isDisabled?: boolean;
    readonly hasDeleteProtection?: boolean;
    readonly rotationPeriodDays?: number | null;
  };
  readonly newKey: NewKey;
  readonly rights: Rights;
}

export interface World {
  readonly keys: readonly NewKey[];
  /** Which of them are disabled at first. */
  readonly isDisabled: readonly boolean[];
  readonly callers: readonly Rights[];
  readonly steps: readonly Step[];
}

const name = fc.constantFrom(...NAMES);
const condition = fc.oneof(
  name,
  some(NAMES, 3)
    .filter((all) => all.length > 0)
    .map(($in) => ({ $in })),
  fc.constantFrom('*', 'app*', 'admin*', '*-db', '{app,db}', '[!a]*', 'a???').map(($glob) => ({ $glob })),
  name.map(($ne) => ({ $ne })),
);
const actions = fc.oneof(
  fc.constant(ACTIONS),
  fc.subarray(ACTIONS, { minLength: 8 }),
  fc.subarray(ACTIONS, { minLength: 1, maxLength: 3 }),
);
const rule = fc
  .tuple(actions, fc.boolean(), fc.constantFrom(false, false, true), condition)
  .map(([action, isLimited, inverted, keyName]): Rule => ({
    subject: 'cmek',
    action,
    ...(inverted && { inverted }),
    ...((isLimited || inverted) && { conditions: { keyName } }),
  }));
const rules = (maxLength: number) => fc.array(rule, { maxLength });
const everything: Rule = { subject: 'cmek', action: ACTIONS };
/** Everything but one operation. */
const allButOne = fc
  .constantFrom(...ACTIONS, ...['rotate', 'rotate', 'rotate', 'create', 'create', 'create'])
  .map((action): Rule[] => [everything, { subject: 'cmek', action: [action], inverted: true }]);
const rights: fc.Arbitrary<Rights> = fc.record({
  lasting: fc.oneof(
    rules(3),
    rules(2).map((more) => [everything, ...more]),
    allButOne,
  ),
  temporary: fc.oneof(fc.constant([]), fc.constant([everything]), rules(2)),
});

const newKey: fc.Arbitrary<NewKey> = fc.record({
  name,
  algorithm: fc.constantFrom('aes-256-gcm', 'aes-256-siv', 'ECC_NIST_P256', 'ED25519', 'HMAC_SHA_256'),
  isExportable: fc.boolean(),
  hasDeleteProtection: fc.constantFrom(false, false, true),
  rotationPeriodDays: fc.constantFrom(undefined, 1),
});

const text = fc.constantFrom('', 'a', 'b', 'x'.repeat(32));
const work: fc.Arbitrary<Work> = fc.record({
  text,
  associated: fc.constantFrom('', '', 'row 1', 'row 2'),
  made: fc.nat(40),
  isOwn: fc.constantFrom(true, true, true, false),
  isAltered: fc.constantFrom(false, false, false, true),
  isDigest: fc.constantFrom(false, false, true),
  signingAlgorithm: fc.constantFrom(undefined, undefined, 'ECDSA_SHA_256', 'ECDSA_SHA_384', 'ED25519'),
  keyVersion: fc.constantFrom(undefined, undefined, 1, 2),
});

/** What keys of each usage do, those that make something most often. */
export const USES: Readonly<Record<string, readonly string[]>> = {
  'encrypt-decrypt': [
    ...[
      'encrypt',
      'encrypt',
      'data-key',
      'encrypt/batch',
      'decrypt',
      'decrypt',
      'decrypt',
      're-encrypt',
      'decrypt/batch',
    ],
  ],
  'sign-verify': [
    ...['sign', 'sign', 'sign/batch', 'verify', 'verify', 'verify/batch', 'public-key', 'signing-algorithms'],
  ],
  'generate-verify-mac': ['generate-mac', 'verify-mac'],
};
const WHAT = [
  // What the key is for,
  ...Array<string>(20).fill('use'),
  // and anything.
  ...new Set(Object.values(USES).flat()),
  ...['read', 'read-by-name', 'list', 'list-deleted', 'jwks'],
  ...Array<string>(6).fill('update'),
  ...['rotate', 'rotate', 'delete', 'delete'],
  ...Array<string>(4).fill('cancel-deletion'),
  ...['create', 'bulk-import', 'private-key', 'bulk-export-private-keys'],
  ...['an hour', 'a day', 'other rights', 'other rights'],
];

const changed = {
  name,
  isDisabled: fc.constant(true),
  hasDeleteProtection: fc.constantFrom(false, false, true),
  rotationPeriodDays: fc.constantFrom(null, 1, 30),
};
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...WHAT),
  by: anyPlayer,
  key: fc.nat(20),
  isTrpc: fc.boolean(),
  works: fc.array(work, { minLength: 1, maxLength: 4 }) as unknown as fc.Arbitrary<[Work, ...Work[]]>,
  changes: fc.oneof(
    ...Object.entries(changed).map(([field, of]) => fc.record<object>({ [field]: of as fc.Arbitrary<never> })),
    fc.record(changed, { requiredKeys: [] }),
  ),
  newKey,
  rights,
});

export const worlds: fc.Arbitrary<World> = fc.record({
  isDisabled: fc.array(fc.constantFrom(true, false, false), { minLength: 4, maxLength: 4 }),
  keys: fc.uniqueArray(newKey, { minLength: 3, maxLength: 4, selector: (one) => one.name }),
  callers: fc.array(rights, { minLength: 3, maxLength: 3 }),
  steps: fc.array(step, { minLength: 30, maxLength: 45 }),
});
