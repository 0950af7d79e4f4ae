export * from './deliver.ts';
export * from './letter.ts';
export * from './require-server.ts';
export * from './smtp.ts';
