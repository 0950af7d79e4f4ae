export { cloudflare } from './cloudflare.ts';
