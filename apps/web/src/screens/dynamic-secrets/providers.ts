import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import type { Type } from '../../ui/detail.tsx';
import type { ShapeOf, Variant } from '../../ui/schema-form/schema.ts';
import { labelOf } from '../../ui/schema-form/words.ts';

/** The providers of an input, with what each of them takes. */
export function variantsOf(whole: ShapeOf<'object'>): readonly Variant[] {
  const provider = whole.members.find(({ name }) => name === 'provider')?.shape;
  return provider?.kind === 'union' ? provider.variants : [];
}

export const useProviders = () =>
  useQuery({
    ...ask('dynamicSecrets', 'options', {}),
    select: ({ dynamicSecretOptions }): Type[] =>
      dynamicSecretOptions.map(({ provider, ...one }) => ({ id: provider, ...one })),
  });

/** The name of a provider for people. */
export function useProviderTitle(): (type: string) => string {
  const { data } = useProviders();
  return (type) => data?.find(({ id }) => id === type)?.name ?? labelOf(type);
}
