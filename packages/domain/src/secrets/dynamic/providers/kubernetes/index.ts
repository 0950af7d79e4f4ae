export { kubernetes } from './kubernetes.ts';
