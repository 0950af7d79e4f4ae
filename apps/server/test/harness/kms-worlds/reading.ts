import { createPublicKey, verify } from 'node:crypto';
import type { Rule } from '@coffer/domain';
import { naiveCan, naiveGains } from '@coffer/domain/testing';
import { base64, bytes } from '../kms.ts';
import type { Answer } from '../test-server.ts';
import { objectionsToStatus, type Player, type Players, type Refusals } from '../worlds.ts';
import { ACTIONS, type NewKey, type Step, type Work } from './arbitrary.ts';
import { OPERATIONS } from './requests.ts';

// What somebody expects who has read the guide of the KMS and the rules: of each request, of what was made by keys, and of the log.

const DAY = 86_400_000;
const USAGES: Readonly<Record<string, string>> = {
  ECC_NIST_P256: 'sign-verify',
  ED25519: 'sign-verify',
  HMAC_SHA_256: 'generate-verify-mac',
};
export const usageOf = (algorithm: string): string => USAGES[algorithm] ?? 'encrypt-decrypt';
const SIGNING: Readonly<Record<string, readonly string[]>> = {
  ECC_NIST_P256: ['ECDSA_SHA_256', 'ECDSA_SHA_384', 'ECDSA_SHA_512'],
  ED25519: ['ED25519'],
};
const DIGESTS: Readonly<Record<string, number>> = { ECDSA_SHA_256: 32, ECDSA_SHA_384: 48, ECDSA_SHA_512: 64 };
const NEEDS: Readonly<Record<string, string>> = {
  encrypt: 'encrypt-decrypt',
  decrypt: 'encrypt-decrypt',
  're-encrypt': 'encrypt-decrypt',
  'data-key': 'encrypt-decrypt',
  sign: 'sign-verify',
  verify: 'sign-verify',
  'signing-algorithms': 'sign-verify',
  'public-key': 'sign-verify',
  'generate-mac': 'generate-verify-mac',
  'verify-mac': 'generate-verify-mac',
};
const EVENTS: Readonly<Record<string, string>> = {
  'private-key': 'exported',
  update: 'updated',
  delete: 'deleted',
  'cancel-deletion': 'deletion_cancelled',
  rotate: 'rotated',
  encrypt: 'encrypted',
  decrypt: 'decrypted',
  're-encrypt': 're_encrypted',
  'data-key': 'data_key_generated',
  sign: 'signed',
  verify: 'verified',
  'generate-mac': 'mac_generated',
  'verify-mac': 'mac_verified',
};
/** What a key that is disabled, or will be destroyed, still does. */
const ALWAYS = new Set(['read', 'public-key', 'update', 'delete', 'cancel-deletion']);

export interface KeyReading extends NewKey {
  readonly id: string;
  name: string;
  hasDeleteProtection: boolean;
  version: number;
  isDisabled: boolean;
  rotationPeriodDays: number | undefined;
  rotatesAt: number | undefined;
  endsAt: number | undefined;
}

interface Made {
  readonly kind: 'ciphertext' | 'signature' | 'mac';
  readonly value: string;
  readonly key: KeyReading;
  readonly version: number;
  /** Base64. */
  readonly data: string;
  /** Associated data, or how it was signed. */
  readonly how: string;
}

export class Reading {
  readonly keys: KeyReading[] = [];
  readonly made: Made[] = [];
  readonly #players: Players;
  readonly #events = new Map<string, string[]>();
  readonly #publicKeys = new Map<string, string>();

  constructor(players: Players) {
    this.#players = players;
  }

  get now(): number {
    return this.#players.now;
  }

  can = (player: Player, action: string, keyName: string): boolean => player.can(this.now, 'cmek', action, { keyName });
  canAlways = (player: Player, action: string, keyName: string): boolean =>
    player.canAlways(this.now, 'cmek', action, { keyName });

  isGone = ({ endsAt }: KeyReading): boolean => endsAt !== undefined && endsAt <= this.now;
  isPending = (key: KeyReading): boolean => key.endsAt !== undefined && !this.isGone(key);
  byName = (name: string): KeyReading | undefined =>
    this.keys.find((key) => key.name === name && key.endsAt === undefined);

  /** Whether another name gives anybody what the caller does not have: now, or when something temporary has ended. */
  #gives(player: Player, [before, after]: readonly [string, string]): boolean {
    const { all } = this.#players;
    const instants = [this.now, ...all.map(({ until }) => until)].filter((at) => at >= this.now);
    const names = { before: { keyName: before }, after: { keyName: after } };
    return instants.some((at) => {
      const holders = all.filter(({ isStranger }) => !isStranger).map((one) => one.rulesAt(at));
      return ACTIONS.some((action) => naiveGains(holders, player.rulesAt(at), ['cmek', action], names));
    });
  }

  /** The same where each rule of somebody counts alone, also if another privilege overrides it: such a change may be refused. */
  #mayGive(player: Player, [before, after]: readonly [string, string]): boolean {
    const rules = this.#players.all.flatMap(({ rights }) => [...rights.lasting, ...rights.temporary]);
    return ACTIONS.some((action) => {
      const speaks = (rule: Rule, keyName: string) =>
        naiveCan([{ ...rule, inverted: false }], 'cmek', action, { keyName });
      const isLifted = rules.some((rule) => rule.inverted && speaks(rule, before) && !speaks(rule, after));
      const isGiven = rules.some(
        (rule) => !rule.inverted && speaks(rule, after) && (isLifted || !speaks(rule, before)),
      );
      return isGiven && !this.canAlways(player, action, before);
    });
  }

  #forbids(player: Player, action: string, keyName: string): boolean {
    const speaking = player
      .rulesAt(this.now)
      .findLast((rule) => naiveCan([{ ...rule, inverted: false }], 'cmek', action, { keyName }));
    return speaking?.inverted === true;
  }

  /** An event that has to be in the log. */
  note(key: KeyReading, type: string, by?: Player): void {
    const all = this.#events.get(key.id) ?? [];
    this.#events.set(key.id, [...all, `kms_key.${type} of ${key.name} by ${by?.id ?? null}`]);
  }

  /** What is wrong with the log of the keys. */
  async objectionsToLog({ test } = this.#players): Promise<string[]> {
    const { rows } = await test.coffer.pool.query<{ id: string; event: string }>(
      `select data ->> 'keyId' as id, concat(type, ' of ', data ->> 'keyName', ' by ', coalesce(actor_id::text, 'null')) as event
       from audit_events where data ->> 'keyId' = any($1) and type <> 'kms_key.destroyed' order by audit_events.id`,
      [this.keys.map(({ id }) => id)],
    );
    return this.keys.flatMap(({ id }) => {
      const noted = rows.filter((row) => row.id === id).map(({ event }) => event);
      const expected = this.#events.get(id) ?? [];
      const index = expected.findIndex((event, place) => noted[place] !== event);
      if (index === -1 && noted.length === expected.length) return [];
      return [`the log: ${noted[index] ?? noted.length} instead of ${expected[index] ?? expected.length}`];
    });
  }

  /** Of a request for a key. */
  refusals(player: Player, key: KeyReading, { what, changes, works: [work] }: Step): Refusals {
    if (player.isStranger || this.isGone(key)) return { must: [404] };
    const operation = what.replace('/batch', '');
    if (!this.can(player, OPERATIONS[what]!.right, key.name)) return { must: [403] };
    const isPending = this.isPending(key);
    if ((isPending || key.isDisabled) && !ALWAYS.has(operation)) return { must: [400] };
    if (what === 'update') return this.#refusedChanges(player, key, changes);
    const statuses: number[] = [];
    if (NEEDS[operation] !== undefined && NEEDS[operation] !== usageOf(key.algorithm)) statuses.push(400);
    const { rotationPeriodDays: period } = key;
    if (what === 'delete' && (isPending || key.hasDeleteProtection)) statuses.push(400);
    if (what === 'cancel-deletion') {
      if (!this.can(player, 'create', key.name)) statuses.push(403);
      if (period !== undefined && !this.canAlways(player, 'rotate', key.name)) statuses.push(403);
      if (!isPending || this.byName(key.name)) statuses.push(400);
    }
    if (what === 'private-key' && !key.isExportable) statuses.push(400);
    if (['private-key', 'public-key'].includes(what) && (work.keyVersion ?? 1) > key.version) statuses.push(404);
    if (statuses.length === 0 && !what.endsWith('/batch') && this.isRefusedWork(key, what, work)) statuses.push(400);
    return { must: statuses };
  }

  #refusedChanges(player: Player, key: KeyReading, changes: Step['changes']): Refusals {
    const statuses: number[] = [];
    const { name = key.name, rotationPeriodDays: days = key.rotationPeriodDays, isDisabled } = changes;
    const isRenamed = name !== key.name;
    if (this.isPending(key)) statuses.push(400);
    if (isRenamed && this.byName(name)) statuses.push(400);
    if (changes.rotationPeriodDays !== undefined && !this.can(player, 'rotate', key.name)) statuses.push(403);
    const isSet = (days ?? undefined) !== key.rotationPeriodDays;
    const goesOn = isSet || isRenamed || (key.isDisabled && isDisabled === false);
    if (days && goesOn && !this.canAlways(player, 'rotate', name)) statuses.push(403);
    if (!isRenamed) return { must: statuses };
    const names = [key.name, name] as const;
    if (!this.can(player, 'edit', name) || this.#gives(player, names)) statuses.push(403);
    if (this.#forbids(player, 'create', name) || this.#forbids(player, 'delete', key.name)) statuses.push(403);
    return { must: statuses, may: this.#mayGive(player, names) ? [403] : [] };
  }

  /** The rotations that are due by now. */
  rotateDue(): void {
    for (const key of this.keys) {
      const { rotatesAt, isDisabled, endsAt, rotationPeriodDays } = key;
      if (rotatesAt === undefined || rotatesAt > this.now || isDisabled || endsAt !== undefined) continue;
      key.version++;
      key.rotatesAt = this.now + rotationPeriodDays! * DAY;
      this.note(key, 'rotated');
    }
  }

  /** What the JWKS has to name. */
  publishedVersions = (): string[] =>
    this.keys
      .filter((one) => one.endsAt === undefined && !one.isDisabled && usageOf(one.algorithm) === 'sign-verify')
      .flatMap(({ id, version }) => Array.from({ length: version }, (_, index) => `${id}.${index + 1}`));

  /** What the caller sends of what was made before. */
  chosen(key: KeyReading, what: string, { made, isOwn }: Work): Made | undefined {
    const kind = { decrypt: 'ciphertext', 're-encrypt': 'ciphertext', verify: 'signature', 'verify-mac': 'mac' }[
      what.replace('/batch', '')
    ];
    const all = this.made.filter((one) => one.kind === kind && (one.key === key || !isOwn));
    return all[made % Math.max(1, all.length)];
  }

  /** The body of one piece of work. */
  bodyOf(key: KeyReading, what: string, work: Work): Readonly<Record<string, unknown>> {
    const { text, associated, isAltered, isDigest, signingAlgorithm, keyVersion } = work;
    const chosen = this.chosen(key, what, work);
    const [data, associatedData] = [base64(text), base64(associated)];
    const value = chosen?.value ?? base64('nothing');
    switch (what.replace('/batch', '')) {
      case 'encrypt':
        return { plaintext: data, associatedData };
      case 'decrypt':
      case 're-encrypt':
        return { ciphertext: value, associatedData: isAltered ? associatedData : (chosen?.how ?? '') };
      case 'data-key':
        return { associatedData };
      case 'sign':
        return { data, isDigest, signingAlgorithm };
      case 'verify': {
        const [algorithm, digest] = chosen?.how.split(' ') ?? ['ED25519', ''];
        const how = { signingAlgorithm: signingAlgorithm ?? algorithm, isDigest: isAltered ? isDigest : digest !== '' };
        return { data: isAltered ? data : (chosen?.data ?? ''), ...how, signature: value, keyVersion };
      }
      case 'generate-mac':
        return { data };
      case 'verify-mac':
        return { data: isAltered ? data : (chosen?.data ?? ''), mac: value, keyVersion };
      case 'private-key':
      case 'public-key':
        return { version: keyVersion };
      default:
        return {};
    }
  }

  /** Whether a piece of work is refused with what it is of, by a key that does such work. */
  isRefusedWork(key: KeyReading, what: string, work: Work): boolean {
    const body = this.bodyOf(key, what, work) as Readonly<Record<string, string>>;
    const operation = what.replace('/batch', '');
    if (operation === 'decrypt' || operation === 're-encrypt') {
      const chosen = this.chosen(key, what, work);
      return chosen?.key !== key || chosen.how !== body['associatedData'];
    }
    if (operation !== 'sign' && operation !== 'verify') return false;
    const all = SIGNING[key.algorithm]!;
    const algorithm = body['signingAlgorithm'] ?? all[0]!;
    if (!all.includes(algorithm)) return true;
    return Boolean(body['isDigest']) && DIGESTS[algorithm] !== bytes(body['data']!).length;
  }

  /** What is wrong with an answer that was to be given; what it made is remembered. */
  objectionsToWork(key: KeyReading, what: string, work: Work, result: Readonly<Record<string, unknown>>): string[] {
    const sent = this.bodyOf(key, what, work) as Readonly<Record<string, string>>;
    const chosen = this.chosen(key, what, work);
    const wrong = (isRight: boolean, text: string) => (isRight ? [] : [text]);
    const keep = (kind: Made['kind'], field: string, data: string, how: string): string[] => {
      const value = String(result[field]);
      const { version } = key;
      this.made.push({ kind, value, key, version, data, how });
      return wrong(result['keyVersion'] === undefined || result['keyVersion'] === version, 'another version');
    };
    const isOf = (one: Made | undefined) =>
      one?.key === key && one.data === sent['data'] && (sent['keyVersion'] ?? one.version) === one.version;
    switch (what.replace('/batch', '')) {
      case 'encrypt': {
        const again = this.made.find(
          (one) =>
            one.key === key &&
            one.version === key.version &&
            one.data === sent['plaintext'] &&
            one.how === sent['associatedData'],
        );
        const isSame = again === undefined || (again.value === result['ciphertext']) === key.algorithm.endsWith('siv');
        return [
          ...keep('ciphertext', 'ciphertext', sent['plaintext']!, sent['associatedData']!),
          ...wrong(isSame, 'the same value twice'),
        ];
      }
      case 'data-key':
        return keep('ciphertext', 'ciphertext', String(result['plaintext']), sent['associatedData']!);
      case 'decrypt':
        return wrong(result['plaintext'] === chosen?.data, 'another plaintext');
      case 're-encrypt':
        return keep('ciphertext', 'ciphertext', chosen!.data, chosen!.how);
      case 'sign': {
        const name = String(result['signingAlgorithm']);
        const isAsked = name === (sent['signingAlgorithm'] ?? SIGNING[key.algorithm]![0]);
        return [
          ...wrong(isAsked, 'another algorithm'),
          ...keep('signature', 'signature', sent['data']!, `${name} ${sent['isDigest'] ? 'digest' : ''}`),
        ];
      }
      case 'verify': {
        const how = `${String(result['signingAlgorithm'])} ${sent['isDigest'] ? 'digest' : ''}`;
        return wrong(result['signatureValid'] === (isOf(chosen) && chosen?.how === how), 'a wrong verdict');
      }
      case 'generate-mac': {
        const again = this.made.find(
          (one) => one.kind === 'mac' && one.key === key && one.version === key.version && one.data === sent['data'],
        );
        return [
          ...wrong(again === undefined || again.value === result['mac'], 'another MAC'),
          ...keep('mac', 'mac', sent['data']!, ''),
        ];
      }
      case 'verify-mac':
        return wrong(result['macValid'] === isOf(chosen), 'a wrong verdict');
      default:
        return [];
    }
  }

  /** What is wrong with the answer to a request for a single key. */
  objectionsTo(player: Player, key: KeyReading, step: Step, answer: Answer): string[] {
    const { what, works } = step;
    const { status, body } = answer;
    const refused = this.refusals(player, key, step);
    if (refused.must.length > 0 || status !== 200) return objectionsToStatus(answer, refused);
    const operation = what.replace('/batch', '');
    const found = what.endsWith('/batch')
      ? works.flatMap((work, index) => this.#objectionsToItem(key, what, work, body.results[index]))
      : [...this.objectionsToWork(key, what, works[0], body), ...this.#after(key, step, body)];
    if (EVENTS[operation]) this.note(key, EVENTS[operation], player);
    return found;
  }

  #objectionsToItem(key: KeyReading, what: string, work: Work, result: Answer['body']): string[] {
    const isRefused = this.isRefusedWork(key, what, work);
    if (isRefused !== 'error' in result) return [`an item: ${JSON.stringify(result)}`];
    return isRefused ? [] : this.objectionsToWork(key, what, work, result);
  }

  /** Remembers what a key has become, and says what is wrong with how it is answered. */
  #after(key: KeyReading, { what, changes, works: [{ keyVersion }] }: Step, body: Answer['body']): string[] {
    if (what === 'update') {
      const { rotationPeriodDays: days = key.rotationPeriodDays, ...others } = changes;
      Object.assign(key, others, { rotationPeriodDays: days ?? undefined });
    }
    if (what === 'delete') key.endsAt = this.now + DAY;
    if (what === 'cancel-deletion') key.endsAt = undefined;
    if (what === 'rotate') key.version++;
    if (body.key) {
      const next = body.key.nextRotationDate;
      key.rotatesAt = next === null ? undefined : new Date(next).getTime();
      return this.objectionsToKey(key, body.key);
    }
    const version = keyVersion ?? key.version;
    if (what === 'public-key') return this.#isPublicKey(key, version, body.publicKey);
    if (what === 'private-key') return body.version === version && body.keyId === key.id ? [] : ['another key'];
    return [];
  }

  objectionsToKey(key: KeyReading, shown: Answer['body']): string[] {
    const { id, name, algorithm, version, isDisabled, isExportable, hasDeleteProtection, endsAt } = key;
    const period = key.rotationPeriodDays ?? null;
    const deletionDate = endsAt === undefined ? null : new Date(endsAt).toISOString();
    const own = { id, name, algorithm, version, isDisabled, isExportable, hasDeleteProtection, deletionDate };
    const expected = { ...own, keyUsage: usageOf(algorithm), rotationPeriodDays: period };
    const found = Object.entries(expected).flatMap(([field, value]) =>
      shown[field] === value ? [] : [`${field} is ${shown[field]} instead of ${value}`],
    );
    const isInTime = key.rotatesAt === undefined || key.rotatesAt <= this.now + (period ?? 0) * DAY;
    return isInTime && (key.rotatesAt === undefined) === (period === null) ? found : [...found, 'another schedule'];
  }

  /** The same key in each answer; and it verifies what this version signed. */
  #isPublicKey(key: KeyReading, version: number, publicKey: string): string[] {
    const place = `${key.id} ${version}`;
    const known = this.#publicKeys.get(place) ?? publicKey;
    this.#publicKeys.set(place, publicKey);
    const spki = createPublicKey({ key: bytes(publicKey), type: 'spki', format: 'der' });
    const signed = this.made.filter((one) => one.key === key && one.version === version && one.how.endsWith(' '));
    const isVerified = signed.every(({ data, value, how }) => {
      const size = /ECDSA_SHA_(\d+)/.exec(how)?.[1];
      return verify(size ? `sha${size}` : null, bytes(data), spki, bytes(value));
    });
    return [...(known === publicKey ? [] : ['another public key']), ...(isVerified ? [] : ['it does not verify'])];
  }
}
