export * from './algorithm.ts';
export * from './names.ts';
export { hasLengthFor, type SigningAlgorithm } from './signing.ts';
export { algorithmOf } from './table.ts';
