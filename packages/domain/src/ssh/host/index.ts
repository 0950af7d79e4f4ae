export * from './agreement.ts';
export * from './authorities.ts';
export * from './ended-logins.ts';
export * from './host-certificate.ts';
export * from './host.service.ts';
export * from './host.ts';
export { lostSshCertificates } from './lost-certificates.ts';
export {
  findHost,
  hostsOfProject,
  lockHost,
  lockPermittedHost,
  requireHost,
  withMappings,
  type HostRow,
} from './stored.ts';
export * from './user-certificate.ts';
