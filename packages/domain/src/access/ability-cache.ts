import { TaggedCache } from '../cache/index.ts';
import { isId, notFound, type Ability, type Context } from '../kernel/index.ts';
import { abilityTags, loadAbility, noMember, type LoadedAbility, type Place } from './grants.ts';
import { requireTrustedAddress, type Admits } from './trusted-address.ts';

/** A cached ability. Abilities that depend on the token (see `LoadedAbility`) are cached for each token. */
interface KeptAbility {
  readonly ability: Ability | undefined;
  readonly admits: Admits;
}
const PER_TOKEN: KeptAbility = { ability: undefined, admits: undefined };

/** The compiled rights of all callers of one process, by organization, project and actor. */
export class AbilityCache {
  readonly cache = new TaggedCache<KeptAbility>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /**
   * The effective permissions of the caller at a place; see `ProcessContext.ability`.
   *
   * @throws DomainError 404 if the caller is not a member; 403 if the project does not trust the address of the caller.
   */
  async ability(ctx: Context, place: Place): Promise<Ability> {
    const { actor, outbox } = ctx;
    if (!('id' in actor)) throw noMember(place);
    if (place.projectId !== undefined && !isId(place.projectId)) throw notFound('project');
    const key = `${place.organizationId}/${place.projectId ?? ''}/${actor.id}`;
    const keyOfToken = () => `${key}/${actor.type === 'identity' ? actor.tokenId : ''}`;
    const now = this.#now().getTime();
    const load = () => loadAbility(ctx, place);
    const cached = () => {
      const known = this.cache.get(key, now);
      return known === PER_TOKEN ? this.cache.get(keyOfToken(), now) : known;
    };
    const keep = (at: string, value: (loaded: LoadedAbility) => KeptAbility) =>
      this.cache.load(at, now, async () => {
        const loaded = await load();
        return (
          loaded && { value: value(loaded), until: loaded.until, tags: abilityTags(actor, place, loaded.dependsOn) }
        );
      });
    const kept = async () => {
      const known = await keep(key, (loaded) => (loaded.dependsOn === 'token' ? PER_TOKEN : loaded));
      return known === PER_TOKEN ? keep(keyOfToken(), (loaded) => loaded) : known;
    };
    // A transaction that changes rights sees its own uncommitted change: what it loads is not cached.
    const hasChanged = outbox && abilityTags(actor, place, 'token').some((tag) => outbox.invalidate.has(tag));
    const found: KeptAbility | undefined = outbox
      ? ((hasChanged ? undefined : cached()) ?? (await load()))
      : (cached() ?? (await kept()));
    if (!found?.ability) throw noMember(place);
    requireTrustedAddress(ctx, found.admits);
    return found.ability;
  }
}
