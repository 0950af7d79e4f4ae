export * from './daily-limit.ts';
export * from './deliver.ts';
export * from './message-text.ts';
export * from './notice.ts';
export * from './require-server.ts';
export * from './smtp.ts';
