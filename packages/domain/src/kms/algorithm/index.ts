export * from './algorithm.ts';
export * from './names.ts';
export type { SigningAlgorithm } from './signing.ts';
export { algorithmOf } from './table.ts';
