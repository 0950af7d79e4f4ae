import { useQuery } from '@tanstack/react-query';
import type { Type } from '../../ui/detail.tsx';
import { inputSchemas, shapeOfInput } from '../../ui/schema-form/document.ts';
import type { JsonSchema, ShapeOf, Variant } from '../../ui/schema-form/schema.ts';
import { labelOf } from '../../ui/schema-form/words.ts';

/** The providers of an input, with what each of them takes. */
export function variantsOf(whole: ShapeOf<'object'>): readonly Variant[] {
  const provider = whole.members.find(({ name }) => name === 'provider')?.shape;
  return provider?.kind === 'union' ? provider.variants : [];
}

function typesOf(schemas: ReadonlyMap<string, JsonSchema>): Type[] {
  const whole = shapeOfInput(schemas, 'dynamicSecrets', 'create');
  return whole ? variantsOf(whole).map(({ name, title }) => ({ id: name, name: title ?? labelOf(name) })) : [];
}

/** The offered providers; the description of the API has them. */
export const useProviders = (enabled: boolean) => useQuery({ ...inputSchemas, select: typesOf, enabled });

/** The name of a provider for people, once the description of the API is there. */
export function useProviderTitle(): (type: string) => string {
  const { data } = useProviders(false);
  return (type) => data?.find(({ id }) => id === type)?.name ?? labelOf(type);
}
