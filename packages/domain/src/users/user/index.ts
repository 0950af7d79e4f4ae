export * from './record-for-user.ts';
export * from './stored.ts';
export * from './super-admin.ts';
export * from './user.entity.ts';
export * from './user.ts';
