export * from './favorites.ts';
export * from './list.ts';
export * from './member.service.ts';
export * from './member.ts';
