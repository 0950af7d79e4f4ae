export { github } from './github.ts';
