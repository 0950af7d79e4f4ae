import { newId, statement, type Actor, type Context, type Rule } from '../../../kernel/index.ts';
import { requireMayFreeTargets } from '../../../connections/sync/index.ts';
import { deleteEnvironment, updateEnvironment } from '../../environment/environment.service.ts';
import { createTag, deleteTag, updateTag } from '../../tag/tag.service.ts';
import { makeIdentity, makeOrganization, makeProject, type TestCoffer } from '../../../testing/index.ts';
import {
  Named,
  NaiveSecret,
  type NaiveChange,
  type NaiveFolder,
  type NaiveVersion,
} from '../../../testing/naive-versions.ts';
import { revisionOf } from '../../commit/index.ts';
import { createFolder } from '../../folder/create.ts';
import { createSecrets, deleteSecrets, moveSecrets, updateSecrets } from '../../secret/index.ts';
import { deleteFolder, updateFolder } from '../../tree/index.ts';

export const ENVIRONMENTS = ['dev', 'staging', 'prod', 'later', 'latest'];
export const FOLDERS = ['a', 'b', 'c', 'd', 'e', 'f'];
export const TAGS = ['red', 'blue', 'grey', 'old'];
const SECRETS = 5;
const keysOf = (index: number): readonly [string, string] => [`K${index}`, `L_${index}`];
export const KEYS = Array.from({ length: SECRETS }, (_, index) => keysOf(index)).flat();

type Dice = (sides: number) => number;

const WRITES = { createSecrets, updateSecrets, moveSecrets };
type Write = keyof typeof WRITES;
type Written = { [Name in Write]: readonly [Name, Parameters<(typeof WRITES)[Name]>[1]] }[Write];

/** Makes a change request for a write in an environment, and merges or closes it. Returns its ID. */
export type Ask = (
  ctx: Context,
  environment: { readonly projectId: string; readonly slug: string },
  written: Written,
  isMerged: boolean,
) => Promise<string>;

const OF_KEY = statement('test.secret_of_key', 'select id from secrets where project_id = $1 and key = $2');

const ROLE = statement(
  'test.role_of',
  `select r.custom_role_id as id from membership_roles r join memberships m on m.id = r.membership_id
   where m.actor_id = $1 and m.project_id = $2`,
);
const GRANT = statement('test.grant', 'update roles set permissions = $2::jsonb where id = $1');

/**
 * A project whose secrets were tagged, untagged, moved and renamed, with everything that contains them, and a naive log
 * of it.
 */
export class VersionWorld {
  readonly test: TestCoffer;
  readonly projectId: string;
  readonly reader: Actor;
  readonly secrets: NaiveSecret[] = [];
  /** The changes that were requested, by the IDs of their requests. */
  readonly requests = new Map<string, NaiveChange>();
  /** The revision of the project after each step. */
  readonly revisions: number[] = [];
  readonly #ctx: Context;
  readonly #roleId: string;
  readonly #environments: (Named & { id?: string })[] = [];
  readonly #folders: (NaiveFolder & { id: string })[] = [];
  readonly #tags: { readonly id: string; readonly tag: Named }[] = [];
  readonly #ask: Ask | undefined;
  #step = 0;
  #asked = 0;

  private constructor(test: TestCoffer, ctx: Context, projectId: string, reader: Actor, roleId: string, ask?: Ask) {
    this.test = test;
    this.#ask = ask;
    this.#ctx = ctx;
    this.projectId = projectId;
    this.reader = reader;
    this.#roleId = roleId;
  }

  /**
   * `isPruned`: finally deletes something of each kind, so that deleted resources are covered. `ask`: half of the writes
   * are requested first.
   */
  static async make(test: TestCoffer, dice: Dice, steps: number, isPruned = false, ask?: Ask): Promise<VersionWorld> {
    const { id: organizationId, admin } = await makeOrganization(test.coffer, `World ${newId()}`);
    const ctx = test.coffer.contextFor(admin.actor);
    const { id: projectId } = await makeProject(test.coffer, organizationId, admin.actor);
    const { id, actor } = await makeIdentity(test.coffer, { organizationId, projectId, rules: [] });
    const [role] = await ctx.sql<{ id: string }>(ROLE, [id, projectId]);
    const world = new VersionWorld(test, ctx, projectId, actor, role!.id, ask);
    await world.#begin();
    if (ask) for (const isMerged of [true, false, true]) await world.#do(() => world.#create(dice, isMerged));
    for (let step = 0; step < steps; step++) await world.#advance(dice);
    await world.#renameAll();
    if (isPruned) await world.#prune();
    return world;
  }

  async giveRules(rules: readonly Rule[]): Promise<void> {
    const reading = ['commits', 'secret-approval'].map((subject) => ({ subject, action: ['read'] }));
    const all = [...reading, ...rules];
    await this.#ctx.sql(GRANT, [this.#roleId, JSON.stringify(all)]);
    this.test.coffer.invalidate([`access:${this.projectId}`]);
  }

  async #begin(): Promise<void> {
    const { projectId } = this;
    const environments = await this.#ctx.sql<{ id: string; slug: string }>(
      statement('test.slugs', 'select id, slug from environments where project_id = $1 order by position'),
      [projectId],
    );
    for (const { id, slug } of environments.slice(0, 2)) {
      const environment = Object.assign(new Named(slug), { id });
      this.#environments.push(environment);
      for (const name of FOLDERS.slice(0, 2)) {
        const at = { projectId, environment: slug, path: '/', name, description: null };
        this.#folders.push({ id: (await createFolder(this.#ctx, at)).id, environment, folder: new Named(name) });
      }
    }
    for (const slug of TAGS.slice(0, 2))
      this.#tags.push({ id: (await createTag(this.#ctx, { projectId, slug, color: '' })).id, tag: new Named(slug) });
    for (let index = 0; index < SECRETS; index++) {
      this.#step++;
      const place = this.#folders[index % this.#folders.length]!;
      const some = this.#tags.filter((_, bit) => (index + 1) & (1 << bit));
      const [key, value] = [keysOf(index)[0], `value ${index}.1`];
      const [made] = await createSecrets(this.#ctx, {
        ...this.#at(place),
        secrets: [{ secretKey: key, secretValue: value, tagIds: some.map(({ id }) => id) }],
      });
      const secret = new NaiveSecret(made!.id);
      secret.versions.push({ step: this.#step, at: place, key, value, tags: some.map(({ tag }) => tag) });
      this.secrets.push(secret);
      await this.#note();
    }
  }

  /** Renames everything, moves one secret, and updates every secret: so every world has former versions. */
  async #renameAll(): Promise<void> {
    const unused = (names: readonly string[], used: readonly Named[]) =>
      names.find((name) => used.every((one) => one.name !== name))!;
    const step = (work: () => Promise<void>) => this.#do(work);
    const [place] = this.#places;
    for (const one of this.#places)
      await step(() =>
        this.#renameFolder(
          one,
          unused(
            FOLDERS,
            this.#places.filter(({ environment }) => environment === one.environment).map(({ folder }) => folder),
          ),
        ),
      );
    await step(() =>
      this.#renameEnvironment(place!.environment, unused(ENVIRONMENTS, [...this.#environments, new Named('prod')])),
    );
    for (const one of this.#tags)
      await step(() =>
        this.#renameTag(
          one,
          unused(
            TAGS,
            this.#tags.map(({ tag }) => tag),
          ),
          false,
        ),
      );
    const [moved] = this.#living;
    await step(() =>
      this.#move(
        moved!,
        this.#places.find((one) => one !== moved!.last.at)!,
        () => 1,
      ),
    );
    for (const secret of this.#living) await step(() => this.#update(secret, () => 1));
  }

  /** Deletes a tag, a secret, a folder and an environment, but nothing that the first remaining secret has. */
  async #prune(): Promise<void> {
    const [kept, gone] = this.#living;
    const { at } = kept!.last;
    await this.#do(() =>
      this.#renameTag(
        this.#tags.find(({ tag }) => !tag.isGone)!,
        '',
        true,
      ),
    );
    if (gone) await this.#do(() => this.#delete(gone));
    const folder = this.#places.find((one) => one !== at);
    if (folder) await this.#do(() => this.#deleteFolder(folder));
    const environment = this.#environments.find((one) => !one.isGone && one !== at.environment);
    if (environment) await this.#do(() => this.#deleteEnvironment(environment));
    for (const secret of this.#living) await this.#do(() => this.#update(secret, () => 0));
  }

  /** Runs a step of its own. */
  async #do(work: () => Promise<void>): Promise<void> {
    this.#step++;
    await work();
    await this.#note();
  }

  get #living(): NaiveSecret[] {
    return this.secrets.filter((secret) => secret.deletedAt === undefined);
  }

  /** The existing folders. */
  get #places() {
    return this.#folders.filter(({ goneAt }) => goneAt === undefined);
  }

  #at({ environment, folder }: NaiveFolder) {
    return { projectId: this.projectId, environment: environment.name, secretPath: `/${folder.name}` };
  }

  async #note(): Promise<void> {
    this.revisions[this.#step] = Number(await revisionOf(this.#ctx, this.projectId));
  }

  async #advance(dice: Dice): Promise<void> {
    const pick = <T>(some: readonly T[]): T => some[dice(some.length)]!;
    await this.#do(async () => {
      const what = dice(14);
      if (what < 5) await this.#update(pick(this.#living), dice);
      else if (what < 7) await this.#move(pick(this.#living), pick(this.#places), dice);
      else if (what < 9) await this.#renameFolder(pick(this.#places), pick(FOLDERS));
      else if (what === 9) await this.#renameEnvironment(pick(this.#environments), pick(ENVIRONMENTS));
      else if (what === 10) await this.#renameTag(pick(this.#tags), pick(TAGS), dice(4) === 0);
      else if (what === 11 && this.#living.length > 3) await this.#delete(pick(this.#living));
      else if (what === 12) await this.#replaceFolder(pick(this.#places), pick(FOLDERS));
      else if (what === 13) await this.#moveAll(pick(this.#places), pick(this.#places));
    });
    if (this.#ask && dice(6) === 0) await this.#do(() => this.#create(dice, dice(2) === 0));
  }

  /** Nothing is left in a folder then, as before most deletions. */
  async #moveAll(from: NaiveFolder, to: NaiveFolder): Promise<void> {
    for (const secret of this.#living) if (secret.last.at === from) await this.#move(secret, to, () => 0);
  }

  /** Deletes a folder if enough are left, and creates another one. */
  async #replaceFolder(place: NaiveFolder & { id: string }, name: string): Promise<void> {
    const { environment } = place;
    if (this.#living.filter((secret) => secret.last.at !== place).length < 3) return;
    if (this.#places.some((one) => one.environment === environment && one.folder.name === name)) return;
    await this.#deleteFolder(place);
    const at = { projectId: this.projectId, environment: environment.name, path: '/', name, description: null };
    this.#folders.push({
      id: (await createFolder(this.#ctx, at)).id,
      environment,
      folder: new Named(name, this.#step),
    });
  }

  async #deleteFolder(place: NaiveFolder & { id: string }): Promise<void> {
    const at = { projectId: this.projectId, environment: place.environment.name, path: '/' };
    await deleteFolder(this.#ctx, { ...at, folderId: place.id });
    this.#departs(place);
  }

  async #deleteEnvironment(environment: Named & { id?: string }): Promise<void> {
    await deleteEnvironment(this.#ctx, { projectId: this.projectId, id: environment.id! }, requireMayFreeTargets);
    for (const place of this.#places.filter((one) => one.environment === environment)) this.#departs(place);
    environment.isGone = true;
  }

  #departs(place: NaiveFolder): void {
    for (const secret of this.#living) if (secret.last.at === place) secret.deletedAt = this.#step;
    place.goneAt = this.#step;
  }

  async #update(secret: NaiveSecret, dice: Dice): Promise<void> {
    const { at, key } = secret.last;
    const own = keysOf(Number(/\d+$/.exec(key)![0]));
    const next = own[dice(2)]!;
    const some = this.#tags.filter(({ tag }) => !tag.isGone && dice(2) === 0);
    const value = `value ${this.secrets.indexOf(secret)}.${secret.versions.length + 1}`;
    const change = {
      secretKey: key,
      secretValue: value,
      tagIds: some.map(({ id }) => id),
      ...(next !== key && { newSecretName: next }),
    };
    const input = { ...this.#at(at), mode: 'failOnNotFound' as const, secrets: [change] };
    const version = { step: this.#step, at, key: next, value, tags: some.map(({ tag }) => tag) };
    await this.#write(['updateSecrets', input], secret, version, dice);
  }

  async #move(secret: NaiveSecret, to: NaiveFolder, dice: Dice): Promise<void> {
    const { at, key, value, tags } = secret.last;
    if (at === to) return;
    const input = {
      projectId: this.projectId,
      sourceEnvironment: at.environment.name,
      sourceSecretPath: `/${at.folder.name}`,
      destinationEnvironment: to.environment.name,
      destinationSecretPath: `/${to.folder.name}`,
      secretIds: [secret.id],
      shouldOverwrite: false,
    };
    await this.#write(['moveSecrets', input], secret, { step: this.#step, at: to, key, value, tags }, dice);
  }

  /** Requests another secret. */
  async #create(dice: Dice, isMerged: boolean): Promise<void> {
    const index = SECRETS + this.#asked++;
    const at = this.#places[dice(this.#places.length)]!;
    const some = this.#tags.filter(({ tag }) => !tag.isGone && dice(2) === 0);
    const [key, value] = [keysOf(index)[0], `value ${index}.1`];
    const secrets = [{ secretKey: key, secretValue: value, tagIds: some.map(({ id }) => id) }];
    const version = { step: this.#step, at, key, value, tags: some.map(({ tag }) => tag) };
    const change: NaiveChange = { ...version };
    await this.#request(['createSecrets', { ...this.#at(at), secrets }], change, isMerged);
    if (!isMerged) return;
    const [made] = await this.#ctx.sql<{ id: string }>(OF_KEY, [this.projectId, key]);
    change.secret = new NaiveSecret(made!.id);
    change.secret.versions.push(version);
    this.secrets.push(change.secret);
  }

  /** Writes a version, directly or by a request, which may be closed instead. */
  async #write(written: Written, secret: NaiveSecret, version: NaiveVersion, dice: Dice): Promise<void> {
    const [name, input] = written;
    if (this.#ask && dice(2) === 1) {
      const isMerged = dice(3) > 0;
      await this.#request(written, { ...version, secret, base: secret.versions.length }, isMerged);
      if (!isMerged) return;
    } else await (WRITES[name] as (ctx: Context, input: object) => Promise<unknown>)(this.#ctx, input);
    secret.versions.push(version);
  }

  async #request(written: Written, change: NaiveChange, isMerged: boolean): Promise<void> {
    const environment = { projectId: this.projectId, slug: change.at.environment.name };
    this.requests.set(await this.#ask!(this.#ctx, environment, written, isMerged), change);
  }

  async #renameFolder(place: NaiveFolder & { id: string }, name: string): Promise<void> {
    const { environment, folder, id: folderId } = place;
    if (this.#places.some((one) => one.environment === environment && one.folder.name === name)) return;
    const at = { projectId: this.projectId, environment: environment.name, path: '/' };
    await updateFolder(this.#ctx, { ...at, folderId, name, description: undefined });
    folder.rename(name, this.#step);
  }

  async #renameEnvironment(environment: Named & { id?: string }, slug: string): Promise<void> {
    if (environment.isGone || slug === 'prod' || this.#environments.some((one) => one.name === slug)) return;
    await updateEnvironment(this.#ctx, { projectId: this.projectId, id: environment.id!, slug });
    environment.rename(slug, this.#step);
  }

  async #renameTag({ id: tagId, tag }: { id: string; tag: Named }, slug: string, isDeleted: boolean): Promise<void> {
    const { projectId } = this;
    if (tag.isGone || (!isDeleted && this.#tags.some((one) => !one.tag.isGone && one.tag.name === slug))) return;
    if (!isDeleted) {
      await updateTag(this.#ctx, { projectId, tagId, slug });
      tag.rename(slug, this.#step);
      return;
    }
    await deleteTag(this.#ctx, { projectId, tagId });
    tag.isGone = true;
    // It is removed from the current versions; former ones keep it.
    for (const secret of this.secrets.filter((one) => one.deletedAt === undefined))
      secret.last.tags = secret.last.tags.filter((one) => one !== tag);
  }

  async #delete(secret: NaiveSecret): Promise<void> {
    const { at, key } = secret.last;
    await deleteSecrets(this.#ctx, { ...this.#at(at), secrets: [{ secretKey: key, type: 'shared' }] });
    secret.deletedAt = this.#step;
  }

  /** Where a living secret is now, for reading it by its name. */
  locationOf(secret: NaiveSecret) {
    return { ...this.#at(secret.last.at), secretName: secret.last.key };
  }
}
