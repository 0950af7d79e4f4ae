export * from './favorites.ts';
export * from './last-admin.ts';
export * from './list.ts';
export * from './member.service.ts';
export * from './member.ts';
