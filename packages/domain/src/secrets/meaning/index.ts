export * from './meaning.ts';
