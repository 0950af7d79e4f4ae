export * from './deliver.ts';
export * from './letter.ts';
export * from './smtp.ts';
