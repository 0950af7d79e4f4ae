import type { Member, Shape, ShapeOf, Variant } from './schema.ts';

/** What is entered in an object. */
export type Entered = Readonly<Record<string, unknown>>;
/** A map while it is edited: names may be there twice, or not yet. */
export type Pair = readonly [name: string, value: unknown];

export const isEntered = (value: unknown): value is Entered =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What was entered as a text. */
export const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** What a form begins with: `given`, and defaults where that says nothing. */
export function startOf(shape: Shape, given: unknown = shape.initial, isRequired = true): unknown {
  switch (shape.kind) {
    case 'text':
    case 'choice':
      return given ?? '';
    case 'number':
      return given ?? undefined;
    case 'flag':
      return given ?? false;
    case 'fixed':
      return undefined;
    case 'list':
      return Array.isArray(given)
        ? given.map((one: unknown) => startOf(shape.item, one))
        : Array.from({ length: isRequired ? shape.minItems : 0 }, () => startOf(shape.item));
    case 'map':
      return Object.entries(isEntered(given) ? given : {});
    case 'object':
      return isEntered(given) || isRequired ? startOfObject(shape, isEntered(given) ? given : {}) : undefined;
    case 'union':
      return isEntered(given) || isRequired ? startOfUnion(shape, isEntered(given) ? given : {}) : undefined;
  }
}

/** A union that follows a choice begins after it. */
function startOfObject({ members }: ShapeOf<'object'>, given: Entered): Entered {
  const begun: Record<string, unknown> = {};
  const follows = ({ shape }: Member) => shape.kind === 'union' && shape.follows !== undefined;
  for (const { name, shape, isRequired } of members.toSorted((a, b) => Number(follows(a)) - Number(follows(b))))
    begun[name] = startOf(ofVariant(shape, begun), given[name] ?? shape.initial, isRequired);
  return begun;
}

function startOfUnion(shape: ShapeOf<'union'>, given: Entered): unknown {
  const { by, variants } = shape;
  const variant = variantOf(shape, given) ?? variants[0];
  return variant && withName(by, variant, startOf(variant.shape, given));
}

const withName = (by: string | undefined, { name }: Variant, value: unknown): unknown =>
  by !== undefined && isEntered(value) ? { ...value, [by]: name } : value;

/** The variant that a value is of, by its own field. */
export const variantOf = ({ by, variants }: ShapeOf<'union'>, value: unknown): Variant | undefined =>
  by === undefined || !isEntered(value) ? undefined : variants.find(({ name }) => name === value[by]);

/** The variant that the choice beside a union names; the first one before there is one. */
export const followed = ({ follows, variants }: ShapeOf<'union'>, beside: Entered): Variant | undefined =>
  variants.find(({ name }) => follows !== undefined && name === beside[follows]) ?? variants[0];

/** What is sent of what was entered; `undefined` is not. */
function sentOf(shape: Shape, value: unknown, isRequired = true): unknown {
  switch (shape.kind) {
    case 'text':
    case 'choice':
      return value === '' ? emptyText(shape, isRequired) : value;
    case 'number':
      return value ?? (isRequired && shape.isNullable ? null : undefined);
    case 'flag':
      return value;
    case 'fixed':
      return isRequired ? shape.value : undefined;
    case 'list':
      return sentOfList(shape, value as readonly unknown[], isRequired);
    case 'map':
      return Object.fromEntries((value as readonly Pair[]).filter(([name]) => name !== ''));
    case 'object':
      return isEntered(value) ? sentOfObject(shape, value) : undefined;
    case 'union': {
      const variant = variantOf(shape, value) ?? shape.variants[0];
      return variant && isEntered(value) ? withName(shape.by, variant, sentOf(variant.shape, value)) : undefined;
    }
  }
}

/** An empty text is sent where it says something: where a text is required, or another one would be assumed. */
function emptyText(shape: ShapeOf<'text' | 'choice'>, isRequired: boolean): unknown {
  if (isRequired) return shape.isNullable ? null : '';
  return typeof shape.initial === 'string' && shape.initial !== '' && shape.kind === 'text' ? '' : undefined;
}

function sentOfList({ item, initial }: ShapeOf<'list'>, value: readonly unknown[], isRequired: boolean): unknown {
  const sent = value.map((one) => sentOf(item, one, false)).filter((one) => one !== undefined);
  return sent.length > 0 || isRequired || initial !== undefined ? sent : undefined;
}

export const sentOfObject = ({ members }: ShapeOf<'object'>, value: Entered): Entered =>
  Object.fromEntries(
    members
      .map(({ name, shape, isRequired }) => [name, sentOf(ofVariant(shape, value), value[name], isRequired)] as const)
      .filter(([, sent]) => sent !== undefined),
  );

/** The shape that a union has beside these values; every other shape is itself. */
export const ofVariant = (shape: Shape, beside: Entered): Shape =>
  shape.kind === 'union' && shape.follows !== undefined ? (followed(shape, beside)?.shape ?? shape) : shape;

/** What an update sends: the members that differ, null for one that was removed; of a `partial` one only what differs in it. */
export function changesOf(before: Entered, after: Entered, partial: readonly string[] = []): Entered {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => {
        const [then, now] = [before[name], after[name]];
        return [
          name,
          partial.includes(name) && isEntered(then) && isEntered(now) ? changesOf(then, now) : (now ?? null),
        ];
      }),
  );
}

/** An object without some of its members. */
export const without = (shape: ShapeOf<'object'>, names: readonly string[]): ShapeOf<'object'> => ({
  ...shape,
  members: shape.members.filter(({ name }) => !names.includes(name)),
});

/** An object whose choices and unions have only these of their options, the first one first. */
export const narrowed = (
  shape: ShapeOf<'object'>,
  only: Readonly<Record<string, readonly string[]>>,
): ShapeOf<'object'> => ({
  ...shape,
  members: shape.members.map((member) => {
    const [names, { shape: own }] = [only[member.name], member];
    if (names && own.kind === 'choice') return { ...member, shape: { ...own, options: names, initial: names[0] } };
    if (names && own.kind === 'union')
      return { ...member, shape: { ...own, variants: own.variants.filter(({ name }) => names.includes(name)) } };
    return member;
  }),
});

/** The shape of an update: a secret that is not entered stays as it is. */
export function keepingSecrets<Of extends Shape>(shape: Of): Of {
  const inside = (one: Shape): Shape =>
    one.kind === 'object'
      ? { ...one, members: one.members.map(keptMember) }
      : one.kind === 'union'
        ? { ...one, variants: one.variants.map((variant) => ({ ...variant, shape: inside(variant.shape) })) }
        : one;
  const keptMember = (member: Member): Member => ({
    ...member,
    shape: inside(member.shape),
    isRequired: member.isRequired && !(member.shape.kind === 'text' && member.shape.isSecret),
  });
  return inside(shape) as Of;
}
