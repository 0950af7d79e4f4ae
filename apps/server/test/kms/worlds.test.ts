import { randomBytes, randomUUID } from 'node:crypto';
import { runs, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { DAY, nameOf, ok } from '../harness/certificates.ts';
import { KEYS, rotateDue } from '../harness/kms.ts';
import { ACTIONS, USES, worlds, type NewKey, type Step, type World } from '../harness/kms-worlds/arbitrary.ts';
import { Reading, usageOf, type KeyReading } from '../harness/kms-worlds/reading.ts';
import { askOfKey, OPERATIONS } from '../harness/kms-worlds/requests.ts';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';
import {
  ask,
  expectNoObjections,
  expectObjections,
  objectionsToStatus,
  Players,
  PRIVILEGES,
  type Player,
} from '../harness/worlds.ts';

const WORLDS = runs(10, 2_000);
const HOUR = DAY / 24;
const LASTING = { isTemporary: false };

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
});
afterAll(() => test.close());

/** Something that happens without the knowledge of the reading. */
type Meddling = (keys: readonly KeyReading[], players: Players) => Promise<void>;

/** A world as it is played. */
class Play {
  readonly #players: Players;
  readonly #reading: Reading;

  constructor(players: Players) {
    this.#players = players;
    this.#reading = new Reading(players);
  }

  async #create(player: Player, given: NewKey, isTrpc: boolean, isImported = false): Promise<string[]> {
    const reading = this.#reading;
    const { rotationPeriodDays, ...key } = given;
    const { name, algorithm } = key;
    const keyMaterial = randomBytes(algorithm === 'aes-256-siv' ? 64 : 32).toString('base64');
    const { projectId } = this.#players;
    const answer = await ask(player, isTrpc, {
      method: 'POST',
      ...(isImported
        ? {
            ...{ url: `${KEYS}/bulk-import`, procedure: 'kmsKeys.import' },
            body: { projectId, keys: [{ ...key, keyMaterial }] },
          }
        : { url: KEYS, procedure: 'kmsKeys.create', body: { projectId, ...given } }),
    });
    const needed = isImported ? ['create', 'import'] : ['create'];
    const days = isImported ? undefined : rotationPeriodDays;
    const may =
      needed.every((action) => reading.can(player, action, name)) &&
      (days === undefined || reading.canAlways(player, 'rotate', name));
    const isTaken = reading.byName(name) !== undefined;
    const must = player.isStranger ? [404] : !may ? [403] : isTaken && !isImported ? [400] : [];
    const found = objectionsToStatus(answer, { must });
    if (answer.status !== 200) return found;
    const made = isImported ? answer.body.keys[0] : answer.body.key;
    const isRefused = isTaken || (isImported && usageOf(algorithm) === 'sign-verify');
    if (!made || isRefused) return made || !isRefused ? [...found, 'another import'] : found;
    const next = made.nextRotationDate;
    const read: KeyReading = {
      ...{ ...given, id: made.id, version: 1, isDisabled: false, endsAt: undefined, rotationPeriodDays: days },
      rotatesAt: next ? new Date(next).getTime() : undefined,
    };
    reading.keys.push(read);
    reading.note(read, 'created', player);
    if (isImported) reading.note(read, 'imported', player);
    return [...found, ...reading.objectionsToKey(read, made)];
  }

  async #do(player: Player, step: Step): Promise<string[]> {
    const { what, isTrpc, newKey, rights } = step;
    if (what === 'use' || what in OPERATIONS) return this.#use(player, step);
    switch (what) {
      case 'an hour':
        return this.#later(HOUR);
      case 'a day':
        return this.#later(DAY);
      case 'other rights':
        await this.#players.give(player, rights);
        return [];
      case 'read-by-name':
        return this.#readByName(player, step);
      case 'list':
      case 'list-deleted':
        return this.#list(player, step);
      case 'bulk-export-private-keys':
        return this.#export(player, step);
      case 'jwks':
        return this.#jwks(player);
      default:
        return this.#create(player, newKey, isTrpc, what === 'bulk-import');
    }
  }

  /** What happens by itself: rights end, keys are rotated, or gone. */
  async #later(ms: number): Promise<string[]> {
    test.advance(ms);
    await rotateDue(test);
    this.#reading.rotateDue();
    return [];
  }

  async #use(player: Player, given: Step): Promise<string[]> {
    const reading = this.#reading;
    const pending = reading.keys.filter((one) => reading.isPending(one));
    const keys = given.what === 'cancel-deletion' && pending.length > 0 ? pending : reading.keys;
    const key = keys[given.key % keys.length];
    if (!key) return [];
    const uses = USES[usageOf(key.algorithm)]!;
    const { isDisabled: isTurned, ...others } = given.changes;
    const changes = { ...others, ...(isTurned && { isDisabled: !key.isDisabled }) };
    const used = uses[given.works[0].made % uses.length]!;
    const step: Step = { ...given, changes, what: given.what === 'use' ? used : given.what };
    const { what, isTrpc, works } = step;
    const items = works.map((work) => reading.bodyOf(key, what, work));
    const bodies: Readonly<Record<string, object>> = { update: changes, delete: { pendingDays: 1 } };
    const body = what.endsWith('/batch') ? { items } : (bodies[what] ?? items[0]!);
    const answer = await askOfKey(player, isTrpc, key.id, what, body);
    const found = reading.objectionsTo(player, key, step, answer);
    if (found.length > 0) return found;
    if (answer.status === 200 && what.endsWith('/batch')) return this.#alone(player, key, step, answer.body.results);
    if (answer.status !== 404) return [];
    const unknown = await askOfKey(player, isTrpc, randomUUID(), what, body);
    const isSame = unknown.status === 404 && (unknown.body.message === answer.body.message || !player.isStranger);
    return isSame ? [] : [`${answer.body.message}, but of an unknown key: ${unknown.status} ${unknown.body.message}`];
  }

  /** An item of a batch that was refused is refused alone with the same words; another one is done alone, too. */
  async #alone(player: Player, key: KeyReading, step: Step, results: Answer['body'][]): Promise<string[]> {
    const reading = this.#reading;
    const refused = results.findIndex((one) => 'error' in one);
    const index = Math.max(0, refused);
    const single: Step = { ...step, what: step.what.replace('/batch', ''), works: [step.works[index]!] };
    const { what, isTrpc, works } = single;
    const answer = await askOfKey(player, isTrpc, key.id, what, reading.bodyOf(key, what, works[0]));
    const found = reading.objectionsTo(player, key, single, answer);
    const isSame = refused === -1 ? answer.status === 200 : answer.body.message === results[index].error.message;
    return isSame ? found : [...found, `alone: ${answer.body.message}`];
  }

  async #readByName(player: Player, { isTrpc, newKey: { name } }: Step): Promise<string[]> {
    const { projectId } = this.#players;
    const answer = await ask(player, isTrpc, {
      ...{ method: 'GET', url: `${KEYS}/key-name/${name}`, procedure: 'kmsKeys.getByName' },
      ...{ named: { keyName: name }, body: { projectId } },
    });
    const key = this.#reading.byName(name);
    const may = player.isStranger || this.#reading.can(player, 'read', name);
    const must = may ? (key && !player.isStranger ? [] : [404]) : [403];
    const found = objectionsToStatus(answer, { must });
    return key && answer.status === 200 ? this.#reading.objectionsToKey(key, answer.body.key) : found;
  }

  async #list(player: Player, { what, isTrpc }: Step): Promise<string[]> {
    const reading = this.#reading;
    const { projectId } = this.#players;
    const isDeleted = what === 'list-deleted';
    const answer = await ask(player, isTrpc, {
      ...{ method: 'GET', url: KEYS, procedure: 'kmsKeys.list' },
      body: { projectId, state: isDeleted ? 'pending-deletion' : 'present' },
    });
    const found = objectionsToStatus(answer, { must: player.isStranger ? [404] : [] });
    if (answer.status !== 200) return found;
    const mine = reading.keys.filter((one) => reading.can(player, 'read', one.name) && !reading.isGone(one));
    const expected = mine.filter((one) => reading.isPending(one) === isDeleted);
    const shown: readonly { id: string }[] = answer.body.keys;
    const isRight = shown.length === expected.length && answer.body.totalCount === expected.length;
    if (!isRight) found.push(`${shown.length} of ${answer.body.totalCount} keys instead of ${expected.length}`);
    return [
      ...found,
      ...shown.flatMap((one) => {
        const key = expected.find(({ id }) => id === one.id);
        return key ? reading.objectionsToKey(key, one) : ['another key'];
      }),
    ];
  }

  /** Several keys, as they are exported one by one. */
  async #export(player: Player, step: Step): Promise<string[]> {
    const reading = this.#reading;
    const keys = reading.keys.filter((_, index) => index % 2 === step.key % 2);
    if (keys.length === 0) return [];
    const alone: Step = { ...step, what: 'private-key', works: [{ ...step.works[0], keyVersion: undefined }] };
    const must = keys.flatMap((key) => reading.refusals(player, key, alone).must);
    const answer = await ask(player, step.isTrpc, {
      ...{ method: 'POST', url: `${KEYS}/bulk-export-private-keys`, procedure: 'kmsKeys.exportMany' },
      body: { keyIds: keys.map(({ id }) => id) },
    });
    const found = objectionsToStatus(answer, { must });
    if (answer.status !== 200) return found;
    for (const key of keys) reading.note(key, 'exported', player);
    for (const [index, key] of keys.entries()) {
      const single = await askOfKey(player, step.isTrpc, key.id, 'private-key', {});
      reading.note(key, 'exported', player);
      if (JSON.stringify(single.body) !== JSON.stringify(answer.body.keys[index])) found.push('another key than alone');
    }
    return found;
  }

  async #jwks({ call }: Player): Promise<string[]> {
    const { keys } = JSON.parse(ok(await call('GET', `/api/v1/projects/${this.#players.projectId}/kms/jwks`)));
    const shown = keys.map(({ kid }: { kid: string }) => kid);
    const expected = this.#reading.publishedVersions();
    return shown.toSorted().join() === expected.toSorted().join() ? [] : ['other keys in the JWKS'];
  }

  async objections({ keys, isDisabled, steps }: World, meddle?: Meddling): Promise<string[]> {
    const [admin] = this.#players.all;
    const found: string[] = [];
    for (const key of keys) found.push(...(await this.#create(admin!, key, false)));
    for (const [index, key] of this.#reading.keys.entries()) {
      if (!isDisabled[index]) continue;
      ok(await test.admin('PATCH', `${KEYS}/${key.id}`, { isDisabled: true }));
      key.isDisabled = true;
      this.#reading.note(key, 'updated', admin);
    }
    await meddle?.(this.#reading.keys, this.#players);
    for (const step of steps) {
      const by = step.by % this.#players.all.length;
      const said = await this.#do(this.#players.all[by]!, step);
      found.push(...said.map((one) => `${step.what} by ${by}${step.isTrpc ? ' over tRPC' : ''}: ${one}`));
    }
    return [...found, ...(await this.#reading.objectionsToLog()), ...(await this.#players.end())];
  }
}

const EVERYTHING = [{ subject: 'cmek', action: ACTIONS }];

const objectionsIn = async (world: World, meddle?: Meddling): Promise<string[]> =>
  new Play(await Players.in(test, EVERYTHING, world.callers)).objections(world, meddle);

describe('keys of generated worlds', () => {
  it(
    'are used, changed and seen by whom rules allow it, as the guide says, and in no other way',
    () => expectNoObjections(worlds, (world) => objectionsIn(world), WORLDS),
    searchTime(60_000),
  );

  const toEach =
    (change: (key: KeyReading) => Promise<unknown>): Meddling =>
    async (keys) => {
      for (const key of keys) await change(key);
    };
  it.each<[string, Meddling]>([
    [
      'callers have more rights than their rules',
      async (_, { projectId, all }) => {
        for (const { id: identityId } of all.slice(1).filter(({ isStranger }) => !isStranger))
          ok(await test.admin('POST', PRIVILEGES, { projectId, identityId, permissions: EVERYTHING, type: LASTING }));
      },
    ],
    ['keys are deleted', toEach(({ id }) => test.admin('DELETE', `${KEYS}/${id}`))],
    ['keys have another version', toEach(({ id }) => test.admin('POST', `${KEYS}/${id}/rotate`))],
    ['keys have another name', toEach(({ id }) => test.admin('PATCH', `${KEYS}/${id}`, { name: nameOf('key') }))],
    [
      'something is in the log that nobody did',
      toEach(({ id }) => test.admin('PATCH', `${KEYS}/${id}`, { description: 'x' })),
    ],
  ])('are objected to where %s', (_, meddle) => expectObjections(worlds, (world) => objectionsIn(world, meddle)));
});
