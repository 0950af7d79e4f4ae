export * from './external-authority.service.ts';
export * from './external-authority.ts';
export { certificateOfOrder, NOT_WANTED } from './issuer.ts';
export type { IssuedElsewhere, OpenAuthority, Progress, Step } from './issuer.ts';
export { openAuthority } from './open.ts';
export { IS_UNFINISHED } from './unfinished-orders.ts';
export { validCertificates } from './valid-certificates.ts';
export {
  externalAuthorityById,
  holdAnyAuthority,
  requireMayBind,
  issuerOf,
  lockPermittedExternalAuthority,
  requireExternalAuthority,
  type Bound,
  type ExternalAuthorityRow,
} from './stored.ts';
