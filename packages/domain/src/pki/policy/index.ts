export { compilePolicy } from './compile.ts';
export {
  altNameTypeNamed,
  extendedKeyUsageNamed,
  keyAlgorithmNamed,
  keyUsageNamed,
  signatureAlgorithmNamed,
} from './name.ts';
export * from './policy.service.ts';
export * from './policy.ts';
