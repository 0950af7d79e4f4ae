import { p } from '@mikro-orm/core';
import type { Rule } from '../kernel/index.ts';
import { sizeOf } from './rule-size.ts';

const sizeOfRow = ({ permissions }: { permissions: readonly Rule[] }): number => sizeOf(permissions);

/** The columns of what gives rules. Their size is written with them, and nowhere else; null in rows of earlier releases. */
export const rulesWithSize = {
  permissions: p.json().$type<Rule[]>(),
  rulesSize: p.integer().nullable().onCreate(sizeOfRow).onUpdate(sizeOfRow),
};
