import type { z } from 'zod';

export type Schema = z.core.$ZodType;

/** The parts of a schema, with their paths. */
export function partsOf(schema: Schema): [name: string, part: Schema][] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape as Record<string, Schema>);
    case 'array':
      return [['[]', def.element]];
    case 'tuple':
      return def.items.map((item, index) => [String(index), item]);
    case 'record':
      return [
        ['{}', def.keyType],
        ['{}', def.valueType],
      ];
    case 'union':
      return def.options.map((option) => ['', option]);
    case 'intersection':
      return [
        ['', def.left],
        ['', def.right],
      ];
    case 'pipe':
      return [
        ['', def.in],
        ['', def.out],
      ];
    case 'lazy':
      return [['', def.getter()]];
    default:
      return 'innerType' in def ? [['', def.innerType]] : [];
  }
}
