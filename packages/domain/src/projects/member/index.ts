export * from './identity-member.service.ts';
export * from './member.ts';
export * from './own-access.ts';
export * from './user-member.service.ts';
