import { TaggedCache } from '../cache/index.ts';
import { isId, notFound, type Ability, type Context, type MaybePromise } from '../kernel/index.ts';
import { abilityTags, loadAbility, noMember, type LoadedAbility, type Place } from './grants.ts';
import { requireTrustedAddress, type Admits } from './trusted-address.ts';

/** A cached ability. Abilities that depend on the token (see `LoadedAbility`) are cached for each token. */
interface KeptAbility {
  readonly ability: Ability | undefined;
  readonly admits: Admits;
}
const PER_TOKEN: KeptAbility = { ability: undefined, admits: undefined };

/** An actor of whom abilities can be known. */
type Holder = Extract<Context['actor'], { readonly id: string }>;

const keyOf = ({ organizationId, projectId = '' }: Place, { id }: Holder): string =>
  `${organizationId}/${projectId}/${id}`;
const keyOfToken = (place: Place, actor: Holder): string =>
  `${keyOf(place, actor)}/${actor.type === 'identity' ? actor.tokenId : ''}`;

/** Whether a transaction has changed what may be rights of its caller at a place. */
export const changesRights = ({ actor, outbox }: Context, place: Place): boolean =>
  outbox !== undefined &&
  outbox.invalidate.size > 0 &&
  'id' in actor &&
  abilityTags(actor, place, 'token').some((tag) => outbox.invalidate.has(tag));

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
   * @throws DomainError 404 if the caller is not a member; 403 if the project does not trust the address of the caller. It
   * rejects with them.
   */
  ability(ctx: Context, place: Place): MaybePromise<Ability> {
    try {
      const found = this.#find(ctx, place);
      return found instanceof Promise
        ? found.then((loaded) => admitted(ctx, place, loaded))
        : admitted(ctx, place, found);
    } catch (error) {
      if (error instanceof Error) return Promise.reject(error);
      throw error;
    }
  }

  #find(ctx: Context, place: Place): MaybePromise<KeptAbility | undefined> {
    const { actor, outbox } = ctx;
    if (!('id' in actor)) throw noMember(place);
    if (place.projectId !== undefined && !isId(place.projectId)) throw notFound('project');
    // A transaction that changes rights sees its own uncommitted change: what it loads is not cached.
    const cached = changesRights(ctx, place) ? undefined : this.#cached(place, actor);
    return cached ?? (outbox ? loadAbility(ctx, place) : this.#load(ctx, place, actor));
  }

  #cached(place: Place, actor: Holder): KeptAbility | undefined {
    const now = this.#now().getTime();
    const known = this.cache.get(keyOf(place, actor), now);
    return known === PER_TOKEN ? this.cache.get(keyOfToken(place, actor), now) : known;
  }

  async #load(ctx: Context, place: Place, actor: Holder): Promise<KeptAbility | undefined> {
    const keep = (key: string, value: (loaded: LoadedAbility) => KeptAbility) =>
      this.cache.load(key, this.#now().getTime(), async () => {
        const loaded = await loadAbility(ctx, place);
        return (
          loaded && { value: value(loaded), until: loaded.until, tags: abilityTags(actor, place, loaded.dependsOn) }
        );
      });
    const known = await keep(keyOf(place, actor), (loaded) => (loaded.dependsOn === 'token' ? PER_TOKEN : loaded));
    return known === PER_TOKEN ? keep(keyOfToken(place, actor), (loaded) => loaded) : known;
  }
}

/** What was found, if it is for the caller of this call. */
function admitted(ctx: Context, place: Place, found: KeptAbility | undefined): Ability {
  if (!found?.ability) throw noMember(place);
  requireTrustedAddress(ctx, found.admits);
  return found.ability;
}
