export { awsCertificateManager } from './aws-certificate-manager.ts';
