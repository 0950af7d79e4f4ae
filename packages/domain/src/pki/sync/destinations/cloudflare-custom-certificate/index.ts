export { cloudflareCustomCertificate } from './cloudflare-custom-certificate.ts';
