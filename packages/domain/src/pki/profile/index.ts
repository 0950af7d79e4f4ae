export { acmeBase, findCertificateProfile, profileById, type ProfileRow } from './find.ts';
export * from './order.ts';
export * from './profile.service.ts';
export * from './profile.ts';
export * from './request.ts';
export * from './usual.ts';
