export * from './constraint.ts';
export * from './expression.ts';
export * from './glob.ts';
export * from './matcher.ts';
export * from './matching-cost.ts';
export * from './refuse.ts';
export * from './substring.ts';
export * from './usage.ts';
