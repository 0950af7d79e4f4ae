export * from './lock.ts';
export * from './meaning.ts';
