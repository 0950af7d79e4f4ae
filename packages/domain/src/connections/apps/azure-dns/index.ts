export { azureDns } from './azure-dns.ts';
