export * from './constraint.ts';
export * from './matcher.ts';
export * from './refuse.ts';
export * from './usage.ts';
