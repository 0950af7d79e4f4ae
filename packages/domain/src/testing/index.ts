export * from '../identities/auth-method/testing/stand-ins.ts';
export * from '../identities/auth-method/testing/identity-provider.ts';
export { examples as loginMethodExamples } from '../identities/auth-method/testing/examples.ts';
export type { LoginMethodCase } from '../identities/auth-method/testing/example.ts';
export { examples as providerExamples } from '../secrets/dynamic/testing/examples.ts';
export type { ProviderCase, TargetCase } from '../secrets/dynamic/testing/example.ts';
export * from '../secrets/dynamic/testing/mariadb.ts';
export * from '../secrets/dynamic/testing/rabbitmq.ts';
export * from '../secrets/dynamic/testing/iam.ts';
export * from '../secrets/dynamic/testing/kubernetes.ts';
export * from '../secrets/dynamic/testing/mongo-server.ts';
export * from '../secrets/dynamic/testing/redis-server.ts';
export * from '../identities/auth-method/testing/rejected-credentials.ts';
export * from '../ldap/testing/slapd.ts';
export * from '../pki/acme/testing/index.ts';
export { debianProgram, freePorts, startServer, temporaryDirectory } from '../outbound/testing/server-process.ts';
export * from '../connections/integration/testing/index.ts';
export { makeAuthority, type TestAuthority } from '../outbound/testing/certificates.ts';
export * from '../outbound/testing/gate.ts';
export { judges } from '../pki/x509/testing/tools.ts';
export {
  buildCertificate,
  newSerialNumber,
  readCertificate,
  readCrl,
  type CertificateContent,
} from '../pki/x509/index.ts';
export * from './database.ts';
export * from './people.ts';
export * from './mail-server.ts';
export type * from './arbitrary-world.ts';
export * from './naive-access.ts';
export * from './naive-rules.ts';
export * from './search.ts';
export * from './test-coffer.ts';
export * from './world.ts';
